import { Injectable } from '@nestjs/common';
import { GroupCommit } from '../database/group-commit.js';
import { HotStatements } from '../database/hot-statements.js';
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
  endpointToWake: string | null;
}

/*
 * The same rules as `statusAfterAttempt`: a test holds the two against each other. Rows are locked
 * in the order of their ids: unsorted, two groups deadlock.
 */
const settleStatement = {
  name: 'settle-messages',
  text: `
  with input as (
    select * from unnest(
      $1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::jsonb[], $6::int[], $7::timestamptz[],
      $8::int[], $9::text[], $10::int[], $11::int[], $12::text[]
    ) as t (id, attempt, status, platform_message_id, failure, retry_in_ms, started_at,
            duration_ms, outcome, http_status, error_code, detail)
  ), locked as (
    select m.id, m.status, m.attempt from messages m where m.id = any ($1::uuid[])
    order by m.id for update
  ), target as (
    select i.*, l.status as before,
      case when l.status = 'sending' then i.status
           when l.status = 'unconfirmed' and i.status = 'queued' then 'failed'
           when l.status = 'unconfirmed' then i.status
           else l.status end as after
    from input i join locked l on l.id = i.id and l.attempt = i.attempt
  ), changed as (
    update messages m set
      status = t.after,
      changes = m.changes + (t.before <> t.after)::int,
      platform_message_id = coalesce(m.platform_message_id, t.platform_message_id),
      error = case when t.before = t.after then m.error else t.failure end,
      next_attempt_at = case when t.before <> t.after and t.after = 'queued'
        then clock_timestamp() + make_interval(secs => t.retry_in_ms / 1000.0)
        else m.next_attempt_at end,
      sent_at = case when t.platform_message_id is not null
        then coalesce(m.sent_at, clock_timestamp()) else m.sent_at end,
      failed_at = case when t.before <> t.after and t.after = 'failed'
        then clock_timestamp() else m.failed_at end
    from target t where m.id = t.id and m.id = any ($1::uuid[])
    returning ${toldColumns}, t.before
  ), recorded as (
    insert into message_timeline (message_id, position, status, at, source)
    select id, changes, status, clock_timestamp(), 'platform' from changed where before <> status
  ), attempts as (
    insert into message_attempts (message_id, number, started_at, duration_ms, outcome, http_status,
                                  error_code, detail)
    select id, attempt, started_at, duration_ms, outcome, http_status, error_code, detail from target
    order by id
    on conflict do nothing
  ), ${tellCallersSql('changed')}
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
    ]);
    const byId = new Map(changed.map((row) => [row.id, row]));
    return results.map(({ id }) => byId.get(id) ?? null);
  }
}

/** The platform's texts are in it, and jsonb takes neither NUL nor lone surrogates, escaped or not. */
function storableJson(failure: MessageFailure): string {
  return JSON.stringify(failure, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  );
}
