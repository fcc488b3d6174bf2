import type { DataSource } from 'typeorm';
import { type PaceAnswer, type PaceRequest, PaceStore, paceBurst } from './pace-store.js';

/** Buckets in an unlogged table, taken from by one function. */
export class PostgresPaceStore extends PaceStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async takeTokens({ accountId, perSecond, count }: PaceRequest): Promise<PaceAnswer> {
    const [row]: { granted: number; wait_ms: number }[] = await this.dataSource.query(
      'select * from take_pace($1, $2, $3, $4)',
      [accountId, perSecond, paceBurst(perSecond), count],
    );
    return { granted: row?.granted ?? 0, waitMs: row?.wait_ms ?? 0 };
  }

  async close(): Promise<void> {}
}
