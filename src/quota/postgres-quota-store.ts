import type { DataSource } from 'typeorm';
import type { HotStatements } from '../database/hot-statements.js';
import { type QuotaAnswer, type QuotaRequest, QuotaStore } from './quota-store.js';

interface TakenRow {
  api_key_id: string;
  granted: number;
  minute_used: number;
  day_used: number;
  account_version: string | null;
  now_ms: string;
}

const takeStatement = {
  name: 'take-quota',
  text: 'select * from take_quota($1, $2, $3, $4, $5)',
};

/** Quotas in an unlogged table, taken by one function. */
export class PostgresQuotaStore extends QuotaStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: HotStatements,
  ) {
    super();
  }

  async take(requests: readonly QuotaRequest[]): Promise<QuotaAnswer[]> {
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

  async giveBackDay(units: ReadonlyMap<string, number>): Promise<void> {
    await this.dataSource.query(
      `update quota_counters q set day_used = greatest(0, q.day_used - g.count)
       from unnest($1::uuid[], $2::int[]) as g (api_key_id, count)
       where q.api_key_id = g.api_key_id
         and q.day = floor(extract(epoch from clock_timestamp()) / 86400)`,
      [[...units.keys()], [...units.values()]],
    );
  }

  /** Nothing to do here and below: the function reads the version where it is written. */
  async checkPublishing(): Promise<void> {}

  async publishVersion(): Promise<void> {}

  async close(): Promise<void> {}
}
