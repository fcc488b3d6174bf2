import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { hourMs } from '#libs/durations';
import type { Principal } from '../access/principal.js';
import { LOGGER } from '../logging/logging.module.js';
import { Timers } from '../timers/timers.js';

const flushEveryMs = 3_000;

interface Usage {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly mode: string;
  readonly hour: Date;
  readonly calls: number;
  readonly accepted: number;
  readonly refused: number;
  readonly lastUsedAt: Date;
  readonly address: string;
}

/** Counts calls by key and hour for the dashboard's totals; writes them every few seconds. */
@Injectable()
export class UsageCounter implements OnApplicationBootstrap, OnApplicationShutdown {
  private usages = new Map<string, Usage>();
  private readonly timers: Timers;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timers = new Timers(logger);
  }

  onApplicationBootstrap(): void {
    this.timers.every(flushEveryMs, 'write the usage', () => this.flush());
  }

  async onApplicationShutdown(): Promise<void> {
    this.timers.stop();
    await this.flush();
  }

  /** Counts one authenticated request; `isRefused` says whether its answer was an error. */
  count({ accountId, apiKeyId, mode }: Principal, isRefused: boolean, address: string): void {
    const now = Date.now();
    const hour = new Date(Math.floor(now / hourMs) * hourMs);
    const [accepted, refused] = isRefused ? [0, 1] : [1, 0];
    const counts = { calls: 1, accepted, refused };
    this.add({ accountId, apiKeyId, mode, hour, ...counts, lastUsedAt: new Date(now), address });
  }

  private async flush(): Promise<void> {
    if (this.usages.size === 0) return;
    const usages = [...this.usages.values()];
    this.usages = new Map();
    try {
      await this.dataSource.query(flushSql, [JSON.stringify(usages)]);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not write the usage; it is written with the next');
      for (const usage of usages) this.add(usage);
    }
  }

  private add(usage: Usage): void {
    const id = `${usage.apiKeyId} ${usage.hour.getTime()}`;
    const known = this.usages.get(id);
    this.usages.set(id, {
      ...(known && known.lastUsedAt > usage.lastUsedAt ? known : usage),
      calls: usage.calls + (known?.calls ?? 0),
      accepted: usage.accepted + (known?.accepted ?? 0),
      refused: usage.refused + (known?.refused ?? 0),
    });
  }
}

const flushSql = `
  with input as (
    select "accountId" as account_id, "apiKeyId" as api_key_id, mode, hour, calls, accepted, refused,
      "lastUsedAt" as last_used_at, address
    from jsonb_to_recordset($1::jsonb) as t ("accountId" uuid, "apiKeyId" uuid, mode text, hour timestamptz,
      calls bigint, accepted bigint, refused bigint, "lastUsedAt" timestamptz, address text)
  ), last_use as (
    insert into api_key_last_used as l (api_key_id, last_used_at, address)
    select distinct on (api_key_id) api_key_id, last_used_at, address from input
    order by api_key_id, last_used_at desc
    on conflict (api_key_id) do update set last_used_at = excluded.last_used_at,
      address = excluded.address where l.last_used_at < excluded.last_used_at
  )
  insert into usage_hourly as u (account_id, api_key_id, mode, hour, calls, accepted, refused)
  select account_id, api_key_id, mode, hour, calls, accepted, refused from input
  order by api_key_id, hour
  on conflict (account_id, api_key_id, mode, hour) do update set calls = u.calls + excluded.calls,
    accepted = u.accepted + excluded.accepted, refused = u.refused + excluded.refused`;
