import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { QuotaStore } from '../quota/quota-store.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKeyUsageDto, HourlyCallsDto, WindowUsageDto } from './api-key-answers.dto.js';
import type { LastUse } from './api-key-views.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** What keys have used, as the quota store and the hourly totals know it. */
@Injectable()
export class ApiKeyUsage {
  constructor(
    private readonly dataSource: DataSource,
    private readonly quota: QuotaStore,
  ) {}

  /** The last use of each key; keys that were never used are left out. */
  async lastUses(ids: readonly string[]): Promise<Map<string, LastUse>> {
    const rows: { api_key_id: string; last_used_at: Date; address: string | null }[] =
      await this.dataSource.query(
        `select api_key_id, last_used_at, address from api_key_last_used
         where api_key_id = any ($1::uuid[])`,
        [ids],
      );
    return new Map(
      rows.map((row) => [row.api_key_id, { at: row.last_used_at, address: row.address }]),
    );
  }

  async of(key: ApiKeyEntity): Promise<ApiKeyUsageDto> {
    const [[taken], hours, lastUses] = await Promise.all([
      // Asking for no unit tells what is used and takes nothing.
      this.quota.take([
        {
          apiKeyId: key.id,
          accountId: key.accountId,
          minuteLimit: key.rateLimitPerMinute,
          dayLimit: key.dailyLimit,
          count: 0,
        },
      ]),
      this.callsByHour({ accountId: key.accountId, apiKeyId: key.id }),
      this.lastUses([key.id]),
    ]);
    if (!taken) throw new Error('the quota store left out a key');
    const lastUse = lastUses.get(key.id);
    return {
      minute: windowOf(key.rateLimitPerMinute, taken.minuteUsed, taken.nowMs, minuteMs),
      day: windowOf(key.dailyLimit, taken.dayUsed, taken.nowMs, dayMs),
      calls_last_24h: hours.reduce((sum, { calls }) => sum + calls, 0),
      calls_by_hour: hours,
      last_used_at: lastUse?.at ?? null,
      last_used_address: lastUse?.address ?? null,
    };
  }

  /** 24 entries, the oldest first, the last one the present hour; null is any account or key. */
  async callsByHour(of: {
    accountId: string | null;
    apiKeyId: string | null;
  }): Promise<HourlyCallsDto[]> {
    const rows: { hour: Date; calls: string; refused: string }[] = await this.dataSource.query(
      `select h.hour, coalesce(sum(u.calls), 0) as calls, coalesce(sum(u.refused), 0) as refused
       from generate_series(date_trunc('hour', now(), 'UTC') - interval '23 hours',
                            date_trunc('hour', now(), 'UTC'), interval '1 hour') as h (hour)
       left join usage_hourly u on u.hour = h.hour
         and ($1::uuid is null or u.account_id = $1) and ($2::uuid is null or u.api_key_id = $2)
       group by h.hour order by h.hour`,
      [of.accountId, of.apiKeyId],
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
