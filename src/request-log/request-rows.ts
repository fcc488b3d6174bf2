import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { plainArray, textArray } from '../database/array-literals.js';
import { HotStatements } from '../database/hot-statements.js';
import type { LoggedRequest } from './logged-request.js';

/** Days after the present one for which partitions are ready. */
const daysAhead = 2;

/** Requests without a known key that other statements or processes have counted already are added to theirs. */
const insertStatement = {
  name: 'log-requests',
  text: `
  insert into request_log as l (id, account_id, api_key_id, mode, method, route, status, code, fields,
                                address, latency_ms, message_id, calls)
  select id, account_id, api_key_id, mode, method, route, status, code, fields::text[], address,
         latency_ms, message_id, calls
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::int[],
              $8::text[], $9::text[], $10::text[], $11::int[], $12::uuid[], $13::int[])
    as t (id, account_id, api_key_id, mode, method, route, status, code, fields, address, latency_ms,
          message_id, calls)
  on conflict (id) do update set calls = l.calls + excluded.calls where l.api_key_id is null`,
};

/** Writes rows of the request log, and makes and drops their days. */
@Injectable()
export class RequestRows {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: HotStatements,
  ) {}

  /** Writes rows, without waiting for the disk. If their day has no partition yet, it makes one. */
  async insert(rows: readonly LoggedRequest[]): Promise<void> {
    try {
      await this.insertInto(rows);
    } catch (error) {
      if (!hasNoPartition(error)) throw error;
      await this.keepDays(null);
      await this.insertInto(rows);
    }
  }

  /**
   * Makes the partitions of the next days and drops those whose last row is older than the retention.
   * @param days for how long requests are kept; 0: none are, also none of today. Null drops nothing.
   */
  async keepDays(days: number | null): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Statements that need the table queue behind this lock, and the work is tried again.
      await manager.query(`set local lock_timeout = '1s'`);
      if (days !== 0) await manager.query('select ensure_request_days($1)', [daysAhead]);
      if (days === null) return;
      const old: { name: string }[] = await manager.query(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'request_log'::regclass and ($1::int = 0 or
           (to_date(right(c.relname, 10), 'YYYY_MM_DD') + 1 + $1)::timestamp at time zone 'UTC' <= now())
         order by 1`,
        [days],
      );
      for (const { name } of old) await manager.query(`drop table ${name}`);
    });
  }

  private async insertInto(rows: readonly LoggedRequest[]): Promise<void> {
    await this.statements.runLazily(insertStatement, [
      plainArray(rows.map(({ id }) => id)),
      plainArray(rows.map(({ accountId }) => accountId)),
      plainArray(rows.map(({ apiKeyId }) => apiKeyId)),
      plainArray(rows.map(({ mode }) => mode)),
      plainArray(rows.map(({ method }) => method)),
      textArray(rows.map(({ route }) => route)),
      plainArray(rows.map(({ status }) => status)),
      plainArray(rows.map(({ code }) => code)),
      textArray(rows.map(({ fields }) => fields && textArray(fields))),
      textArray(rows.map(({ address }) => address)),
      plainArray(rows.map(({ latencyMs }) => latencyMs)),
      plainArray(rows.map(({ messageId }) => messageId)),
      plainArray(rows.map(({ calls }) => calls)),
    ]);
  }
}

/** PostgreSQL reports a row that no partition takes as a violated check. */
function hasNoPartition(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23514';
}
