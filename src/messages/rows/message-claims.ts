import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../../access/mode.js';
import { plainArray } from '../../database/array-literals.js';
import { HotStatements } from '../../database/hot-statements.js';
import {
  claimDueStatement,
  claimPacedStatement,
  claimProbeSql,
  claimStatement,
  readBackSql,
} from './claim-statements.js';
import { OptedOutMessages } from './opted-out-messages.js';

/** A row that this worker may send now: it is `sending`, committed, and claimed by no other. */
export interface ClaimedMessage {
  readonly id: string;
  readonly accountId: string;
  readonly accountVersion: number;
  readonly mode: Mode;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** The request body for the platform, as stored. */
  readonly payload: string;
  /** The API process whose caller may be waiting. */
  readonly origin: string | null;
  readonly waiting: boolean;
  /** How long, from the claim, a further try may still start. */
  readonly giveUpInMs: number;
  /** The trace that its sending continues; null where it is not traced. */
  readonly traceparent: string | null;
}

interface ClaimedRow {
  id: string;
  account_id: string;
  account_version: string;
  mode: Mode;
  attempt: number;
  payload: string;
  origin: string | null;
  waiting: boolean;
  give_up_in_ms: number;
  traceparent: string | null;
  /** Not claimed, because its recipient has opted out. */
  is_opted_out?: boolean;
}

/**
 * Claims: `queued` → `sending`, committed before the first byte goes to the platform. Claiming is a
 * compare-and-set on the row, so a hint that comes twice, late or to two workers does no harm.
 */
@Injectable()
export class MessageClaims {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: HotStatements,
    private readonly optedOut: OptedOutMessages,
  ) {}

  /** A token under which a claim whose commit was lost can be read back. */
  newToken(): string {
    return randomUUID();
  }

  /** Claims those of the given rows that may be tried now. */
  async claim(ids: readonly string[], token: string): Promise<ClaimedMessage[]> {
    const sorted = ids.toSorted();
    return this.claimedOf(
      await this.statements.run(claimStatement, [
        plainArray(sorted),
        token,
        sorted[0],
        sorted.at(-1),
      ]),
    );
  }

  /** The store's clock now. */
  async readClock(): Promise<string> {
    const [row]: { now: string }[] = await this.dataSource.query(
      'select clock_timestamp()::text as now',
    );
    return row?.now ?? '';
  }

  /**
   * Claims rows that have been due for a second: their hint was lost, or came too early.
   * @param seenAt the store's clock when it last answered; a claim that is late claims nothing.
   */
  async claimDue(limit: number, token: string, seenAt: string): Promise<ClaimedMessage[]> {
    return this.claimedOf(await this.statements.run(claimDueStatement, [limit, token, seenAt]));
  }

  /** Claims rows of a number with a pace that has tokens; waiting callers come first. */
  async claimPaced(
    accountId: string,
    limit: number,
    token: string,
    seenAt: string,
  ): Promise<ClaimedMessage[]> {
    return this.claimedOf(
      await this.statements.run(claimPacedStatement, [accountId, token, limit, seenAt]),
    );
  }

  /** Claims one due row of a number on hold, to see whether the platform takes it again. */
  async claimProbe(accountId: string, token: string): Promise<ClaimedMessage | null> {
    const [row] = this.claimedOf(await this.dataSource.query(claimProbeSql, [accountId, token]));
    return row ?? null;
  }

  /** What a claim has claimed, where its answer was lost with the connection. */
  async readBack(token: string): Promise<ClaimedMessage[]> {
    return toClaimed(await this.dataSource.query(readBackSql, [token]));
  }

  /** What was claimed. What was left because of an opt-out fails meanwhile. */
  private claimedOf(rows: ClaimedRow[]): ClaimedMessage[] {
    const left = rows.filter(({ is_opted_out }) => is_opted_out);
    if (left.length === 0) return toClaimed(rows);
    void this.optedOut.failLeft(left.map(({ id }) => id));
    return toClaimed(rows.filter(({ is_opted_out }) => !is_opted_out));
  }
}

function toClaimed(rows: ClaimedRow[]): ClaimedMessage[] {
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    accountVersion: Number(row.account_version),
    mode: row.mode,
    attempt: row.attempt,
    payload: row.payload,
    origin: row.origin,
    waiting: row.waiting,
    giveUpInMs: row.give_up_in_ms,
    traceparent: row.traceparent,
  }));
}
