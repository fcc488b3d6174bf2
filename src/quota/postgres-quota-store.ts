import type { DataSource } from 'typeorm';
import type { HotStatements } from '../database/hot-statements.js';
import {
  type DayAnswer,
  type DayRequest,
  type MinuteUnits,
  type QuotaAnswer,
  type QuotaRequest,
  QuotaStore,
} from './quota-store.js';

interface TakenRow {
  api_key_id: string;
  granted: number;
  minute_used: number;
  day_used: number;
  account_version: string | null;
  now_ms: string;
}

const takeStatement = {
  name: 'take-minute',
  text: 'select * from take_minute_units($1, $2, $3, $4, $5)',
};

/**
 * In the order of the keys, so that two processes lock the counters in the same one. Reads wait for no disk: a
 * crash of PostgreSQL may lose the units of its last second's reads.
 */
const takeDayStatement = {
  name: 'take-day',
  text: `
    with settings as materialized (select set_config('synchronous_commit', 'off', true))
    select asked.api_key_id, taken.day, taken.used, taken.granted
    from settings, unnest($1::uuid[], $2::int[], $3::int[]) as asked (api_key_id, day_limit, units),
      take_day_units(asked.api_key_id, asked.day_limit, asked.units) as taken`,
};

/** Minutes in an unlogged table, days in a logged one, each taken by one function. */
export class PostgresQuotaStore extends QuotaStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: HotStatements,
  ) {
    super();
  }

  async takeUnits(requests: readonly QuotaRequest[]): Promise<QuotaAnswer[]> {
    // Sorted, so that two processes lock the counters in the same order.
    const sorted = requests.toSorted((a, b) => (a.apiKeyId < b.apiKeyId ? -1 : 1));
    const rows = await this.statements.run<TakenRow>(takeStatement, [
      sorted.map((request) => request.apiKeyId),
      sorted.map((request) => request.accountId),
      sorted.map((request) => request.minuteLimit),
      sorted.map((request) => request.dayLimit),
      sorted.map((request) => request.count),
    ]);
    const byKey = new Map(rows.map((row) => [row.api_key_id, row]));
    return requests.map(({ apiKeyId }) => {
      const row = byKey.get(apiKeyId);
      if (!row) throw new Error('the quota function left out a key');
      return {
        granted: row.granted,
        minuteUsed: row.minute_used,
        dayUsed: row.day_used,
        accountVersion: Number(row.account_version ?? 0),
        nowMs: Number(row.now_ms),
      };
    });
  }

  async giveBackMinute(units: readonly MinuteUnits[]): Promise<void> {
    const sorted = units.toSorted((a, b) => (a.apiKeyId < b.apiKeyId ? -1 : 1));
    await this.dataSource.query(
      `update quota_counters q set minute_used = greatest(0, q.minute_used - g.count)
       from unnest($1::uuid[], $2::bigint[], $3::int[]) as g (api_key_id, minute, count)
       where q.api_key_id = g.api_key_id and q.minute = g.minute`,
      [
        sorted.map(({ apiKeyId }) => apiKeyId),
        sorted.map(({ minute }) => minute),
        sorted.map(({ count }) => count),
      ],
    );
  }

  async takeDay(requests: readonly DayRequest[]): Promise<DayAnswer[]> {
    const sorted = requests.toSorted((a, b) => (a.apiKeyId < b.apiKeyId ? -1 : 1));
    const rows = await this.statements.run<DayAnswer & { api_key_id: string }>(takeDayStatement, [
      sorted.map((request) => request.apiKeyId),
      sorted.map((request) => request.dayLimit),
      sorted.map((request) => request.count),
    ]);
    const byKey = new Map(rows.map(({ api_key_id, ...answer }) => [api_key_id, answer]));
    return requests.map(({ apiKeyId }) => {
      const answer = byKey.get(apiKeyId);
      if (!answer) throw new Error('the quota function left out a key');
      return answer;
    });
  }

  /** Does nothing, like the two below: the function reads days and versions where they are written. */
  async publishDays(): Promise<void> {}

  async checkPublishing(): Promise<void> {}

  async publishVersion(): Promise<void> {}

  async close(): Promise<void> {}
}
