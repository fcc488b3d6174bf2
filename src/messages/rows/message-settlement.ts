import { Injectable } from '@nestjs/common';
import { lines, plainArray, textArray } from '../../database/array-literals.js';
import { GroupCommit } from '../../database/group-commit.js';
import { DatabaseTimeline, logEndSql } from '../../database/history/database-timeline.js';
import { HotStatements } from '../../database/hot-statements.js';
import { storableJson } from '../../database/storable-text.js';
import type { MessageFailure } from '../message.js';
import { fallenColumns, fallenReturning, fallSql, insertFallbacksSql } from './fallback-rows.js';
import type { ConcludedMessage } from './message-conclusions.js';
import { logWith, statusBits, statusEntries } from './message-history.js';
import type { SettledStatus } from './message-status.js';
import { endpointsToWake, insertStatusEventsSql, toldColumns } from './status-events.js';

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

/** What the result of an attempt makes of the row `m`: `statusAfterAttempt`, and a test compares. */
const after = `
      case when m.status = 'sending' then i.status
           when m.status = 'unconfirmed' and i.status = 'queued' then 'failed'
           when m.status = 'unconfirmed' then i.status
           else m.status end`;

const isHere = (firstId: string, lastId: string) => `
    m.id = i.id and m.id = any ($1::uuid[]) and m.id between ${firstId}::uuid and ${lastId}::uuid
      and m.attempt = i.attempt`;

/*
 * One look at each row: the ids come sorted, and so does the index, so two groups lock in the same
 * order; unsorted, they deadlock. The lowest and the highest id leave out partitions when the plan is
 * executed; an array cannot.
 */

/** The usual outcome: the platform accepts the message while its row is `sending`. */
const settleSentStatement = {
  name: 'settle-sent-messages',
  text: `
  with input as (
    select * from unnest($1::uuid[], $2::int[], $3::text[], $4::float8[], $5::int[], $6::int[])
      as t (id, attempt, platform_message_id, started_ms, duration_ms, http_status)
  ), changed as (
    update messages m set status = 'sent', entered = m.entered | ${statusBits.sent},
      platform_message_id = i.platform_message_id, error = null,
      sent_at = coalesce(m.sent_at, clock_timestamp()),
      attempt_started_at = to_timestamp(i.started_ms / 1000), attempt_ms = i.duration_ms,
      attempt_outcome = 'accepted', attempt_http_status = i.http_status
    from input i
    -- Not by the bare column: its index of messages being sent is small only in good times.
    where ${isHere('$7', '$8')} and m.status || '' = 'sending'
    returning ${toldColumns}
  ), ${insertStatusEventsSql('changed')}
  select c.id, c.origin, c.status, null as failure, ${endpointsToWake} as "endpointsToWake",
    c.fallback_for as "fallbackFor", ${logEndSql} as "logEnd"
  from changed c`,
};

/** The same row for good: a later try would begin a new one. */
const isLastTry = `${after} <> 'queued' and m.attempt_started_at is null`;

const fallen = fallenColumns(`m.status <> ${after} and ${after} = 'failed'`);

const ownTry = `jsonb_build_array(jsonb_build_object('number', i.attempt, 'started_at', i.started_at,
  'duration_ms', i.duration_ms, 'outcome', i.outcome, 'http_status', i.http_status,
  'error_code', i.error_code, 'detail', i.detail))`;

/** Any outcome of an attempt, in any state that its row has by now. */
const settleStatement = {
  name: 'settle-messages',
  text: `
  with input as (
    select t.id, t.attempt, t.status, t.platform_message_id, t.failure::jsonb as failure,
      t.retry_in_ms, to_timestamp(t.started_ms / 1000) as started_at, t.duration_ms, t.outcome,
      t.http_status, t.error_code, t.detail, t.held
    from unnest(
      $1::uuid[], $2::int[], $3::text[], $4::text[], string_to_array($5, E'\\n', ''), $6::int[],
      $7::float8[], $8::int[], $9::text[], $10::int[], $11::int[], $12::text[], $15::boolean[]
    ) as t (id, attempt, status, platform_message_id, failure, retry_in_ms, started_ms,
            duration_ms, outcome, http_status, error_code, detail, held)
  ), ${fallSql}, changed as (
    update messages m set
      status = ${after},
      entered = m.entered | case when m.status <> ${after} and ${after} = 'sent' then ${statusBits.sent} else 0 end,
      platform_message_id = coalesce(m.platform_message_id, i.platform_message_id),
      held = m.held or i.held,
      error = case when m.status = ${after} then m.error else ${fallen.failure} end,
      fallback_message_id = ${fallen.fallbackMessageId},
      next_attempt_at = case when m.status = 'sending' and i.status = 'queued'
        then clock_timestamp() + make_interval(secs => i.retry_in_ms / 1000.0)
        else m.next_attempt_at end,
      sending_at = case when ${after} = 'queued' and m.status = 'sending' then null else m.sending_at end,
      sent_at = case when i.platform_message_id is not null
        then coalesce(m.sent_at, clock_timestamp()) else m.sent_at end,
      failed_at = case when m.status <> ${after} and ${after} = 'failed'
        then clock_timestamp() else m.failed_at end,
      attempt_started_at = case when ${isLastTry} then i.started_at else m.attempt_started_at end,
      attempt_ms = case when ${isLastTry} then i.duration_ms else m.attempt_ms end,
      attempt_outcome = case when ${isLastTry} then i.outcome else m.attempt_outcome end,
      attempt_http_status = case when ${isLastTry} then i.http_status else m.attempt_http_status end,
      attempt_error_code = case when ${isLastTry} then i.error_code else m.attempt_error_code end,
      log = ${logWith(
        `case when m.status = ${after} or ${after} = 'sent' then null
          when ${after} = 'queued' then ${statusEntries(
            { status: `'sending'`, at: 'm.sending_at', source: 'worker' },
            { status: `'queued'`, at: 'clock_timestamp()', source: 'platform' },
          )}
          else ${statusEntries({ status: after, at: 'clock_timestamp()', source: 'platform' })} end`,
        `case when (${after} = 'queued' or i.detail is not null) and not coalesce(
          m.log @> jsonb_build_array(jsonb_build_object('number', i.attempt)), false)
          then ${ownTry} end`,
      )}
    from input i left join fall f on f.id = i.id
    where ${isHere('$13', '$14')}
    returning ${toldColumns}, ${fallenReturning}, old.status as before
  ), ${insertFallbacksSql('changed')}, steps as (
    select * from changed where before <> status
  ), ${insertStatusEventsSql('steps')}
  select c.id, c.origin, c.status, c.error as failure, ${endpointsToWake} as "endpointsToWake",
    c.fallback_for as "fallbackFor", case when c.is_replaced then c.fallback_message_id end as "fallbackId",
    ${logEndSql} as "logEnd"
  from changed c`,
};

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
      await this.statements.run<SettledRow>(settleSentStatement, [
        plainArray(rows.map((result) => result.id)),
        plainArray(rows.map((result) => result.attempt)),
        textArray(rows.map((result) => result.platformMessageId)),
        plainArray(rows.map((result) => result.startedAt.getTime())),
        plainArray(rows.map((result) => result.durationMs)),
        plainArray(rows.map((result) => result.httpStatus)),
        rows[0]?.id,
        rows.at(-1)?.id,
      ]),
    );
  }

  private async writeAny(rows: readonly AttemptResult[]): Promise<SettledRow[]> {
    if (rows.length === 0) return [];
    return this.noted(
      await this.statements.run<SettledRow>(settleStatement, [
        plainArray(rows.map((result) => result.id)),
        plainArray(rows.map((result) => result.attempt)),
        plainArray(rows.map((result) => result.status)),
        textArray(rows.map((result) => result.platformMessageId)),
        lines(rows.map((result) => result.failure && storableJson(result.failure))),
        plainArray(rows.map((result) => result.retryInMs)),
        plainArray(rows.map((result) => result.startedAt.getTime())),
        plainArray(rows.map((result) => result.durationMs)),
        plainArray(rows.map((result) => result.outcome)),
        plainArray(rows.map((result) => result.httpStatus)),
        plainArray(rows.map((result) => result.errorCode)),
        textArray(rows.map((result) => result.detail)),
        rows[0]?.id,
        rows.at(-1)?.id,
        plainArray(rows.map((result) => result.isHeld)),
      ]),
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
