import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { plainArray } from '../../database/array-literals.js';
import { DatabaseTimeline } from '../../database/history/database-timeline.js';
import { HotStatements } from '../../database/hot-statements.js';
import type { Row } from '../../database/statements/statement.js';
import * as sql from './message-claims.statements.js';
import { OptedOutMessages } from './opted-out-messages.js';

/** A row that this worker may send now: it is `sending`, committed, and claimed by no other. */
export type ClaimedMessage = Readonly<Row<typeof sql.readClaimBack>>;

/** A message that may be tried, but not yet: its number sends as fast as it may. */
export type RefusedMessage = Readonly<
  Pick<Row<typeof sql.claimMessages>, 'id' | 'accountId' | 'lane' | 'waitMs' | 'burst'>
>;

/** What came of a claim by ids; rows that may not be tried now are in neither list. */
export interface Claim {
  readonly claimed: ClaimedMessage[];
  readonly refused: RefusedMessage[];
}

/** Ids that no hint has named. */
export interface FoundIds {
  readonly ids: string[];
  /** The store's clock when they were found. They may be claimed for a second. */
  readonly seenAt: string;
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
    private readonly timeline: DatabaseTimeline,
  ) {}

  /** A token under which a claim whose commit was lost can be read back. */
  newToken(): string {
    return randomUUID();
  }

  /**
   * Claims those of the given rows that may be tried now, as many of a number with a pace as it has tokens.
   * @param seenAt for ids that no hint has named: the store's clock when they were found.
   */
  async claim(ids: readonly string[], token: string, seenAt: string | null = null): Promise<Claim> {
    const sorted = ids.toSorted();
    const rows = await sql.claimMessages.rows(this.statements, {
      ids: plainArray(sorted),
      token,
      firstId: sorted[0],
      lastId: sorted.at(-1),
      seenAt,
      timeline: this.timeline.current,
    });
    const refused = rows.filter(({ result }) => result === 'refused');
    return { claimed: this.claimedOf(rows), refused };
  }

  /** Finds rows of numbers with a pace that have been due for a second: their hint was lost, or there were too many. */
  async findPacedDue(): Promise<FoundIds> {
    const rows = await sql.findPacedDue.rows(this.dataSource);
    return { ids: rows.map(({ id }) => id), seenAt: rows[0]?.seenAt ?? '' };
  }

  /**
   * Claims rows that have been due for a second: their hint was lost, or came too early.
   * @param seenAt the store's clock when it last answered; a claim that is late claims nothing.
   */
  async claimDue(limit: number, token: string, seenAt: string): Promise<ClaimedMessage[]> {
    const given = { limit, token, seenAt, timeline: this.timeline.current };
    return this.claimedOf(await sql.claimDueMessages.rows(this.statements, given));
  }

  /** Claims one due row of a number on hold, to see whether the platform takes it again. */
  async claimProbe(accountId: string, token: string): Promise<ClaimedMessage | null> {
    const given = { accountId, token, timeline: this.timeline.current };
    const [row] = this.claimedOf(await sql.claimProbe.rows(this.dataSource, given));
    return row ?? null;
  }

  /** What a claim has claimed, where its answer was lost with the connection. */
  readBack(token: string): Promise<ClaimedMessage[]> {
    return sql.readClaimBack.rows(this.dataSource, { token });
  }

  /** What was claimed. What was left because of an opt-out fails meanwhile. */
  private claimedOf(
    rows: Row<typeof sql.claimDueMessages | typeof sql.claimMessages>[],
  ): ClaimedMessage[] {
    const left = rows.filter(({ result }) => result === 'opted_out');
    if (left.length > 0) void this.optedOut.failLeft(left.map(({ id }) => id));
    const claimed = rows.filter(({ result }) => result === 'claimed');
    this.timeline.note(claimed[0]?.logEnd);
    return claimed;
  }
}
