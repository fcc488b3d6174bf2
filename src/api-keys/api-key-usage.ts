import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dayMs, minuteMs } from '#libs/durations';
import type { Mode } from '../access/mode.js';
import { QuotaStore } from '../quota/quota-store.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKeyUsageDto, HourlyCallsDto, WindowUsageDto } from './api-key-answers.dto.js';
import { ApiKeyRecords } from './api-key-records.js';
import * as sql from './api-key-usage.statements.js';
import type { KeyStanding, SecretUses } from './api-key-views.js';

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
    const rows = await sql.listKeyStandings.rows(this.dataSource, {
      ids: keys.map(({ id }) => id),
    });
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
  callsByHour(of: {
    accountId: string | null;
    apiKeyId: string | null;
    mode?: Mode | null;
  }): Promise<HourlyCallsDto[]> {
    return sql.countCallsByHour.rows(this.dataSource, of);
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
