import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { textArray } from '../database/array-literals.js';
import { HotStatements } from '../database/hot-statements.js';
import type { LoggedRequest } from './logged-request.js';
import * as sql from './request-rows.statements.js';

/** Days after the present one for which partitions are ready. */
const daysAhead = 2;

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
      if (days !== 0) await sql.ensureRequestDays.run(manager, { daysAhead });
      if (days === null) return;
      const old = await sql.listOldRequestDays.rows(manager, { days });
      for (const { name } of old) await manager.query(`drop table ${name}`);
    });
  }

  private async insertInto(rows: readonly LoggedRequest[]): Promise<void> {
    const input = rows.map((row) => ({ ...row, fields: row.fields && textArray(row.fields) }));
    await sql.logRequests.run(this.statements.lazily, sql.requestInput.valuesOf(input));
  }
}

/** PostgreSQL reports a row that no partition takes as a violated check. */
function hasNoPartition(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23514';
}
