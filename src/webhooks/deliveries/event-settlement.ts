import { Injectable } from '@nestjs/common';
import { webhookPatience } from '../../api-keys/webhook-patience.js';
import { Config } from '../../config/config.js';
import { GroupCommit } from '../../database/group-commit.js';
import { HotStatements } from '../../database/hot-statements.js';

/** One attempt at an endpoint, as it goes into the log. */
export interface Attempt {
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Null when there was no answer. */
  readonly statusCode: number | null;
  /** The first 1 KiB of the answer. */
  readonly response: string | null;
}

/** An event that was delivered. */
export interface DeliveredEvent extends Attempt {
  readonly id: string;
  /** The number of the attempt, from 1. */
  readonly number: number;
}

/** An attempt that failed. */
export interface FailedAttempt extends Attempt {
  readonly id: string;
  readonly endpointId: string;
  readonly error: string;
  /** When the next attempt may start, from now; null: none is made. */
  readonly retryInMs: number | null;
  /** The endpoint wants no further attempts, even if the schedule has some. */
  readonly isFinal: boolean;
}

/** What became of an event whose attempt failed. */
export interface FailureOutcome {
  /** When the event is due again, by PostgreSQL's clock; null when it was given up or is gone. */
  readonly dueMs: number | null;
  /** Whether the endpoint has failed for so long that it is to be switched off. */
  readonly isEndpointSpent: boolean;
}

/** The columns that a row keeps when it moves from one table to the other. */
const moved = `id, event_id, endpoint_id, account_id, mode, type, message_id, body, traceparent`;

/*
 * A late success, from before a redelivery was requested, does not count: its number
 * is not above the attempts made before. An event that is delivered twice stays delivered.
 */
const finishStatement = {
  name: 'finish-events',
  text: `
  with input as (
    select * from unnest($1::uuid[], $2::smallint[], $3::timestamptz[], $4::int[], $5::int[],
      $6::text[]) as t (id, number, started_at, duration_ms, status_code, response)
  ), delivered as (
    delete from open_events o using input i
    where o.id = i.id and o.id = any ($1::uuid[]) and i.number > o.attempts_before
    returning o.*, i.started_at, i.duration_ms, i.status_code, i.response
  )
  insert into done_events as d (${moved}, status, attempts, log, last_at, last_ms, last_status,
    last_response, created_at)
  select ${moved}, 'succeeded', attempts + 1, log, started_at, duration_ms, status_code, response,
    created_at
  from delivered
  on conflict (id) do nothing`,
};

/** Earlier attempts, with the one of `i` at the end, and the oldest left out after the 40th. */
const extendedLog = `
  case when jsonb_array_length(coalesce(o.log, '[]')) >= 40 then o.log - 0 else coalesce(o.log, '[]') end
    || jsonb_build_object('number', o.attempts + 1, 'at', i.started_at, 'duration_ms', i.duration_ms,
      'status_code', i.status_code, 'response', i.response, 'error', i.error)`;

/* Counts the row's own tries: a redelivery may have been requested in the meantime. */
const givesUp = `(i.is_final or o.attempts + 1 - o.attempts_before >= $10)`;

const failStatement = {
  name: 'fail-events',
  text: `
  with input as (
    select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::int[], $5::int[],
      $6::text[], $7::text[], $8::int[], $9::boolean[])
      as t (id, endpoint_id, started_at, duration_ms, status_code, response, error, retry_in_ms,
        is_final)
  ), locked as materialized (
    select o.id, ${givesUp} as is_over from input i join open_events o on o.id = i.id
    where o.id = any ($1::uuid[]) order by o.id for update of o
  ), given_up as (
    delete from open_events o using locked l, input i
    where o.id = l.id and o.id = any ($1::uuid[]) and i.id = o.id and l.is_over
    returning o.*, i.started_at, i.duration_ms, i.status_code, i.response, i.error as reason
  ), kept as (
    insert into done_events (${moved}, status, attempts, error, log, last_at, last_ms, last_status,
      last_response, created_at)
    select ${moved}, 'failed', attempts + 1, reason, log, started_at, duration_ms, status_code,
      response, created_at
    from given_up
    on conflict (id) do nothing
  ), put_off as (
    update open_events o set attempts = o.attempts + 1, error = i.error, log = ${extendedLog},
      due_at = clock_timestamp() + make_interval(secs => i.retry_in_ms / 1000.0)
    from locked l, input i
    where o.id = l.id and o.id = any ($1::uuid[]) and i.id = o.id and not l.is_over
    returning o.id, o.due_at
  ), failing as (
    insert into webhook_failures as f (endpoint_id, failures, since)
    select i.endpoint_id, count(*), min(i.started_at) from input i
    group by i.endpoint_id order by i.endpoint_id
    on conflict (endpoint_id) do update set failures = f.failures + excluded.failures
    returning f.endpoint_id, f.failures, f.since
  )
  select i.id, floor(extract(epoch from p.due_at) * 1000)::float8 as "dueMs",
    f.failures >= ${webhookPatience.failures}
      and f.since < now() - interval '${webhookPatience.hours} hours' as "isEndpointSpent"
  from input i join failing f on f.endpoint_id = i.endpoint_id left join put_off p on p.id = i.id`,
};

/*
 * What waits for an endpoint that is off, revoked or gone, the oldest first. It checks the endpoint again,
 * since a worker's knowledge of it may be a moment old.
 */
const giveUpStatement = {
  name: 'give-up-events',
  text: `
  with endpoint as (
    select case when k.revoked_at is not null then 'key_revoked'
      when k.webhook_url is null then 'no_endpoint'
      when k.webhook_disabled_at is not null then 'endpoint_off' end as reason
    from (select $1::uuid as id) e left join api_keys k on k.id = e.id
  ), waiting as (
    select o.id from open_events o, endpoint e
    where o.endpoint_id = $1 and e.reason is not null order by o.due_at, o.seq limit $2
    for update of o skip locked
  ), given_up as (
    delete from open_events o using waiting w where o.id = w.id returning o.*
  ), kept as (
    insert into done_events (${moved}, status, attempts, error, log, created_at)
    select ${moved}, 'failed', attempts, (select reason from endpoint), log, created_at from given_up
    on conflict (id) do nothing
  )
  select reason is not null as "isUnusable", (select count(*)::int from given_up) as count
  from endpoint`,
};

const forgetFailuresStatement = {
  name: 'forget-failures',
  text: 'delete from webhook_failures where endpoint_id = $1',
};

const groupMaxSize = 200;
const giveUpBatch = 5_000;

/**
 * Writes the results of attempts, in groups. Its commits do not wait for the disk: a success that a
 * crash takes back is delivered once more, with the same id.
 */
@Injectable()
export class EventSettlement {
  private readonly delivered: GroupCommit<DeliveredEvent, void>;
  private readonly failed: GroupCommit<FailedAttempt, FailureOutcome>;

  constructor(
    private readonly statements: HotStatements,
    private readonly config: Config,
  ) {
    this.delivered = new GroupCommit({
      commit: (events) => this.writeDelivered(events),
      maxSize: groupMaxSize,
    });
    this.failed = new GroupCommit({
      commit: (attempts) => this.writeFailed(attempts),
      maxSize: groupMaxSize,
    });
  }

  /** Moves a delivered event to the log. */
  finish(event: DeliveredEvent): Promise<void> {
    return this.delivered.add(event);
  }

  /** Puts an event off until its next try, or gives it up when its tries are used up. */
  fail(attempt: FailedAttempt): Promise<FailureOutcome> {
    return this.failed.add(attempt);
  }

  /** The endpoint works again: failures before this say nothing about it. */
  async forgetFailures(endpointId: string): Promise<void> {
    await this.statements.runLazily(forgetFailuresStatement, [endpointId]);
  }

  /**
   * Gives up everything that waits for an endpoint that is switched off or gone.
   * @returns false where it is neither: nothing was given up.
   */
  async giveUpAll(endpointId: string): Promise<boolean> {
    for (;;) {
      const [row] = await this.statements.run<{ isUnusable: boolean; count: number }>(
        giveUpStatement,
        [endpointId, giveUpBatch],
      );
      if (!row?.isUnusable) return false;
      if (row.count < giveUpBatch) return true;
    }
  }

  private async writeDelivered(events: readonly DeliveredEvent[]): Promise<void[]> {
    const column = <T>(pick: (event: DeliveredEvent) => T): T[] => events.map(pick);
    await this.statements.runLazily(finishStatement, [
      column(({ id }) => id),
      column(({ number }) => number),
      column(({ startedAt }) => startedAt),
      column(({ durationMs }) => durationMs),
      column(({ statusCode }) => statusCode),
      column(({ response }) => response),
    ]);
    return events.map(() => undefined);
  }

  private async writeFailed(attempts: readonly FailedAttempt[]): Promise<FailureOutcome[]> {
    const column = <T>(pick: (attempt: FailedAttempt) => T): T[] => attempts.map(pick);
    const rows = await this.statements.runLazily<FailureOutcome & { id: string }>(failStatement, [
      column(({ id }) => id),
      column(({ endpointId }) => endpointId),
      column(({ startedAt }) => startedAt),
      column(({ durationMs }) => durationMs),
      column(({ statusCode }) => statusCode),
      column(({ response }) => response),
      column(({ error }) => error),
      column(({ retryInMs }) => retryInMs ?? this.lastRetryMs),
      column(({ isFinal }) => isFinal),
      this.config.webhookRetrySeconds.length + 1,
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const gone = { dueMs: null, isEndpointSpent: false };
    return attempts.map(({ id }) => byId.get(id) ?? gone);
  }

  /** For an event whose redelivery was requested while its last try was under way. */
  private get lastRetryMs(): number {
    return (this.config.webhookRetrySeconds[0] ?? 0) * 1_000;
  }
}
