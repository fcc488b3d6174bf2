import { Injectable } from '@nestjs/common';
import { GroupCommit } from '../../database/group-commit.js';
import { DatabaseTimeline } from '../../database/history/database-timeline.js';
import { HotStatements } from '../../database/hot-statements.js';
import { storableJson } from '../../database/storable-text.js';
import type { MessageFailure } from '../message.js';
import type { ConcludedMessage } from './message-conclusions.js';
import * as sql from './message-settlement.statements.js';
import type { SettledStatus } from './message-status.js';

/** How one attempt ended. */
export interface AttemptResult {
  readonly id: string;
  readonly attempt: number;
  readonly status: SettledStatus;
  readonly platformMessageId: string | null;
  /** Whether the platform holds the message to assess the quality of its template. */
  readonly isHeld: boolean;
  /** Set for `failed`; for `queued` the refusal that the next try is about to overcome. */
  readonly failure: MessageFailure | null;
  /** For `queued`: when the next try may start, from now. */
  readonly retryInMs: number | null;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** accepted, refused, not_written or ambiguous. */
  readonly outcome: string;
  readonly httpStatus: number | null;
  readonly errorCode: number | null;
  /** What the platform or the network said, for the operator; bounded. */
  readonly detail: string | null;
}

type SettledRow = ConcludedMessage & { readonly logEnd: string };

const groupMaxSize = 200;

/** Settles: writes the results of attempts, in groups. */
@Injectable()
export class MessageSettlement {
  private readonly group: GroupCommit<AttemptResult, ConcludedMessage | null>;

  constructor(
    private readonly statements: HotStatements,
    private readonly timeline: DatabaseTimeline,
  ) {
    this.group = new GroupCommit({
      commit: (results) => this.write(results),
      maxSize: groupMaxSize,
    });
  }

  /**
   * Writes one result. A result that comes late counts as long as its attempt is the row's last.
   * @returns the row as it is now, or null when the row has moved on to another attempt.
   */
  settle(result: AttemptResult): Promise<ConcludedMessage | null> {
    return this.group.enqueue(result);
  }

  private async write(results: readonly AttemptResult[]): Promise<(ConcludedMessage | null)[]> {
    const byId = new Map<string, SettledRow>();
    const rows = results.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const row of await this.writeSent(rows.filter(isPlainSuccess))) byId.set(row.id, row);
    const others = rows.filter(({ id }) => !byId.has(id));
    for (const row of await this.writeAny(others)) byId.set(row.id, row);
    return results.map(({ id }) => byId.get(id) ?? null);
  }

  private async writeSent(rows: readonly AttemptResult[]): Promise<SettledRow[]> {
    if (rows.length === 0) return [];
    return this.noted(
      await sql.settleSentMessages.rows(this.statements, {
        ...sql.sentInput.valuesOf(rows),
        firstId: rows[0]?.id,
        lastId: rows.at(-1)?.id,
      }),
    );
  }

  private async writeAny(rows: readonly AttemptResult[]): Promise<SettledRow[]> {
    if (rows.length === 0) return [];
    const input = rows.map((result) => ({
      ...result,
      failure: result.failure && storableJson(result.failure),
    }));
    return this.noted(
      await sql.settleMessages.rows(this.statements, {
        ...sql.resultInput.valuesOf(input),
        firstId: rows[0]?.id,
        lastId: rows.at(-1)?.id,
      }),
    );
  }

  private noted(rows: SettledRow[]): SettledRow[] {
    this.timeline.note(rows.at(-1)?.logEnd);
    return rows;
  }
}

function isPlainSuccess(result: AttemptResult): boolean {
  return (
    result.status === 'sent' &&
    result.outcome === 'accepted' &&
    result.platformMessageId !== null &&
    !result.isHeld &&
    result.errorCode === null &&
    result.detail === null
  );
}
