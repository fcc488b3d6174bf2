import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dayMs, minuteMs } from '#libs/durations';
import type { Mode } from '../access/mode.js';
import { QuotaStore } from '../quota/quota-store.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKeyUsageDto, HourlyCallsDto, WindowUsageDto } from './api-key-answers.dto.js';
import { ApiKeyRecords } from './api-key-records.js';
import type { KeyStanding, SecretUses } from './api-key-views.js';

interface StandingRow extends Omit<KeyStanding, 'uses'> {
  readonly id: string;
  readonly uses: readonly { digest: string; at: string; from: string | null }[];
}

/** What keys have used, as the quota store and the hourly totals know it. */
@Injectable()
export class ApiKeyUsage {
  constructor(
    private readonly dataSource: DataSource,
    private readonly quota: QuotaStore,
    private readonly records: ApiKeyRecords,
  ) {}

  /** The last use of each key and of its values, and how its webhook fails. */
  async standings(keys: readonly ApiKeyEntity[]): Promise<Map<string, KeyStanding>> {
    const rows: StandingRow[] = await this.dataSource.query(
      `select k.id, u.last_used_at as "lastUsedAt", u.address as "lastUsedAddress", f.failures,
         f.since as "failingSince", array(
           select jsonb_build_object('digest', s.digest, 'at', s.last_used_at, 'from', s.address)
           from secret_last_used s where s.api_key_id = k.id) as uses
       from unnest($1::uuid[]) as k (id)
       left join api_key_last_used u on u.api_key_id = k.id
       left join webhook_failures f on f.endpoint_id = k.id`,
      [keys.map(({ id }) => id)],
    );
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    return new Map(
      keys.flatMap((key) => {
        const row = rowOf.get(key.id);
        if (!row) return [];
        const uses = new Map(
          row.uses.map(({ digest, at, from }) => [digest, { at: new Date(at), from }]),
        );
        const { key: ofKey, signing } = this.records.digestsOf(key);
        const usesOf = (digests: readonly (string | null)[]): SecretUses =>
          digests.map((digest) => (digest === null ? undefined : uses.get(digest)));
        return [[key.id, { ...row, uses: { key: usesOf(ofKey), signing: usesOf(signing) } }]];
      }),
    );
  }

  async of(key: ApiKeyEntity): Promise<ApiKeyUsageDto> {
    const [[taken], hours, standings] = await Promise.all([
      // Asking for no unit returns what is used and takes nothing.
      this.quota.takeUnits([
        {
          apiKeyId: key.id,
          accountId: key.accountId,
          minuteLimit: key.rateLimitPerMinute,
          dayLimit: key.dailyLimit,
          count: 0,
        },
      ]),
      this.callsByHour({ accountId: key.accountId, apiKeyId: key.id }),
      this.standings([key]),
    ]);
    if (!taken) throw new Error('the quota store left out a key');
    const standing = standings.get(key.id);
    return {
      minute: windowOf(key.rateLimitPerMinute, taken.minuteUsed, taken.nowMs, minuteMs),
      day: windowOf(key.dailyLimit, taken.dayUsed, taken.nowMs, dayMs),
      calls_last_24h: hours.reduce((sum, { calls }) => sum + calls, 0),
      calls_by_hour: hours,
      last_used_at: standing?.lastUsedAt ?? null,
      last_used_address: standing?.lastUsedAddress ?? null,
    };
  }

  /** 24 entries, the oldest first, the last one the present hour; null is any account, key or mode. */
  async callsByHour(of: {
    accountId: string | null;
    apiKeyId: string | null;
    mode?: Mode | null;
  }): Promise<HourlyCallsDto[]> {
    const rows: { hour: Date; calls: string; refused: string }[] = await this.dataSource.query(
      `select h.hour, coalesce(sum(u.calls), 0) as calls, coalesce(sum(u.refused), 0) as refused
       from generate_series(date_trunc('hour', now(), 'UTC') - interval '23 hours',
                            date_trunc('hour', now(), 'UTC'), interval '1 hour') as h (hour)
       left join usage_hourly u on u.hour = h.hour
         and ($1::uuid is null or u.account_id = $1) and ($2::uuid is null or u.api_key_id = $2)
         and ($3::text is null or u.mode = $3)
       group by h.hour order by h.hour`,
      [of.accountId, of.apiKeyId, of.mode ?? null],
    );
    return rows.map(({ hour, calls, refused }) => ({
      hour,
      calls: Number(calls),
      refused: Number(refused),
    }));
  }
}

function windowOf(limit: number, used: number, nowMs: number, lengthMs: number): WindowUsageDto {
  return {
    limit,
    used,
    remaining: Math.max(0, limit - used),
    reset_at: new Date((Math.floor(nowMs / lengthMs) + 1) * lengthMs),
  };
}
