import { Injectable } from '@nestjs/common';
import { GroupCommit } from '../database/group-commit.js';
import { HotStatements } from '../database/hot-statements.js';
import { storableJson } from '../database/storable-text.js';
import type { EventHint } from '../replies/event-hints.js';
import type { MessageFailure } from './message.js';
import type { ConcludedMessage } from './message-claims.js';
import type { MessageStatus, SettledStatus } from './message-status.js';
import { endpointToWake, tellCallersSql, toldColumns } from './status-events.js';

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

interface ChangedRow {
  id: string;
  origin: string | null;
  status: MessageStatus;
  failure: MessageFailure | null;
  endpointToWake: EventHint | null;
}

/** What the result of an attempt makes of the row `m`: `statusAfterAttempt`, and a test compares. */
const after = `
      case when m.status = 'sending' then i.status
           when m.status = 'unconfirmed' and i.status = 'queued' then 'failed'
           when m.status = 'unconfirmed' then i.status
           else m.status end`;

/*
 * One look at each row: the ids come sorted, and so does the index, so two groups lock in the same
 * order; unsorted, they deadlock. The lowest and the highest id leave out partitions when the plan is
 * executed; an array cannot.
 */
const settleStatement = {
  name: 'settle-messages',
  text: `
  with input as (
    select * from unnest(
      $1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::jsonb[], $6::int[], $7::timestamptz[],
      $8::int[], $9::text[], $10::int[], $11::int[], $12::text[], $15::boolean[]
    ) as t (id, attempt, status, platform_message_id, failure, retry_in_ms, started_at,
            duration_ms, outcome, http_status, error_code, detail, held)
  ), changed as (
    update messages m set
      status = ${after},
      changes = m.changes + (m.status <> ${after})::int,
      platform_message_id = coalesce(m.platform_message_id, i.platform_message_id),
      held = m.held or i.held,
      error = case when m.status = ${after} then m.error else i.failure end,
      next_attempt_at = case when m.status = 'sending' and i.status = 'queued'
        then clock_timestamp() + make_interval(secs => i.retry_in_ms / 1000.0)
        else m.next_attempt_at end,
      sent_at = case when i.platform_message_id is not null
        then coalesce(m.sent_at, clock_timestamp()) else m.sent_at end,
      failed_at = case when m.status <> ${after} and ${after} = 'failed'
        then clock_timestamp() else m.failed_at end
    from input i
    where m.id = i.id and m.id = any ($1::uuid[]) and m.id between $13::uuid and $14::uuid
      and m.attempt = i.attempt
    returning ${toldColumns}, old.status as before
  ), recorded as (
    insert into message_timeline (message_id, position, status, at, source)
    select id, changes, status, clock_timestamp(), 'platform' from changed where before <> status
  ), attempts as (
    insert into message_attempts (message_id, number, started_at, duration_ms, outcome, http_status,
                                  error_code, detail)
    select i.id, i.attempt, i.started_at, i.duration_ms, i.outcome, i.http_status, i.error_code, i.detail
    from input i join changed c on c.id = i.id
    order by i.id
    on conflict do nothing
  ), steps as (
    select * from changed where before <> status
  ), ${tellCallersSql('steps')}
  select c.id, c.origin, c.status, c.error as failure, ${endpointToWake} as "endpointToWake"
  from changed c`,
};

const groupMaxSize = 200;

/** Settles: writes what came of attempts, each with its timeline and its attempt, in groups. */
@Injectable()
export class MessageSettlement {
  private readonly group: GroupCommit<AttemptResult, ConcludedMessage | null>;

  constructor(private readonly statements: HotStatements) {
    this.group = new GroupCommit({
      commit: (results) => this.write(results),
      maxSize: groupMaxSize,
    });
  }

  /**
   * Writes one result. A result that comes late counts as long as its attempt is the row's last.
   * @returns the row as it stands now, or null when the row has moved on to another attempt.
   */
  settle(result: AttemptResult): Promise<ConcludedMessage | null> {
    return this.group.add(result);
  }

  private async write(results: readonly AttemptResult[]): Promise<(ConcludedMessage | null)[]> {
    const rows = results.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const column = <T>(pick: (result: AttemptResult) => T): T[] => rows.map(pick);
    const changed = await this.statements.run<ChangedRow>(settleStatement, [
      column((result) => result.id),
      column((result) => result.attempt),
      column((result) => result.status),
      column((result) => result.platformMessageId),
      column((result) => (result.failure ? storableJson(result.failure) : null)),
      column((result) => result.retryInMs),
      column((result) => result.startedAt),
      column((result) => result.durationMs),
      column((result) => result.outcome),
      column((result) => result.httpStatus),
      column((result) => result.errorCode),
      column((result) => result.detail),
      rows[0]?.id,
      rows.at(-1)?.id,
      column((result) => result.isHeld),
    ]);
    const byId = new Map(changed.map((row) => [row.id, row]));
    return results.map(({ id }) => byId.get(id) ?? null);
  }
}
