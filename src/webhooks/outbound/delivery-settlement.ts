import { Injectable } from '@nestjs/common';
import { webhookPatience } from '../../api-keys/webhook-patience.js';
import { GroupCommit } from '../../database/group-commit.js';
import { HotStatements } from '../../database/hot-statements.js';

/** What came of an attempt, or why none was made. */
export interface DeliveryResult {
  readonly id: string;
  readonly apiKeyId: string;
  readonly number: number;
  readonly status: 'succeeded' | 'retrying' | 'failed';
  /** For `retrying`: when the next attempt may start, from now. */
  readonly retryInMs: number | null;
  readonly error: string | null;
  /** Null when there was nowhere to send it. */
  readonly attempt: {
    readonly startedAt: Date;
    readonly durationMs: number;
    readonly statusCode: number | null;
    readonly response: string | null;
  } | null;
}

/*
 * A result counts for the attempt that the row is at: a worker whose lease was over when it came back
 * is too late for the row, not for the log. A success forgets the failures before it.
 */
const settleStatement = {
  name: 'settle-deliveries',
  text: `
  with input as (
    select * from unnest(
      $1::uuid[], $2::uuid[], $3::smallint[], $4::text[], $5::int[], $6::text[], $7::timestamptz[],
      $8::int[], $9::int[], $10::text[]
    ) as t (id, api_key_id, number, status, retry_in_ms, error, started_at, duration_ms, status_code,
            response)
  ), locked as (
    select d.id, d.attempts from webhook_deliveries d where d.id = any ($1::uuid[])
    order by d.id for update
  ), changed as (
    update webhook_deliveries d set
      status = i.status,
      attempts = d.attempts - (i.started_at is null)::int,
      next_attempt_at = case when i.retry_in_ms is not null
        then clock_timestamp() + make_interval(secs => i.retry_in_ms / 1000.0) end,
      error = i.error,
      finished_at = case when i.retry_in_ms is null then clock_timestamp() end
    from input i join locked l on l.id = i.id and l.attempts = i.number
    where d.id = i.id and d.id = any ($1::uuid[])
  ), logged as (
    insert into webhook_attempts (delivery_id, number, started_at, duration_ms, status_code,
                                  response, error)
    select id, number, started_at, duration_ms, status_code, response, error
    from input where started_at is not null
    order by id
    on conflict do nothing
  ), succeeded as (
    delete from webhook_failures f
    where f.api_key_id in (select api_key_id from input where status = 'succeeded')
  ), failing as (
    insert into webhook_failures (api_key_id, failures, since)
    select api_key_id, count(*), min(started_at) from input
    where status <> 'succeeded' and started_at is not null
      and api_key_id not in (select api_key_id from input where status = 'succeeded')
    group by api_key_id order by api_key_id
    on conflict (api_key_id) do update set failures = webhook_failures.failures + excluded.failures
    returning api_key_id, failures, since
  )
  select api_key_id from failing
  where failures >= ${webhookPatience.failures}
    and since < now() - interval '${webhookPatience.hours} hours'`,
};

const groupMaxSize = 200;

/** Writes what came of attempts, each with its line in the log, in groups. */
@Injectable()
export class DeliverySettlement {
  private readonly group: GroupCommit<DeliveryResult, boolean>;

  constructor(private readonly statements: HotStatements) {
    this.group = new GroupCommit({
      commit: (results) => this.write(results),
      maxSize: groupMaxSize,
    });
  }

  /** @returns whether the endpoint has failed for so long that it is to be switched off. */
  settle(result: DeliveryResult): Promise<boolean> {
    return this.group.add(result);
  }

  private async write(results: readonly DeliveryResult[]): Promise<boolean[]> {
    const column = <T>(pick: (result: DeliveryResult) => T): T[] => results.map(pick);
    const failing = await this.statements.run<{ api_key_id: string }>(settleStatement, [
      column((result) => result.id),
      column((result) => result.apiKeyId),
      column((result) => result.number),
      column((result) => result.status),
      column((result) => result.retryInMs),
      column((result) => result.error),
      column((result) => result.attempt?.startedAt ?? null),
      column((result) => result.attempt?.durationMs ?? null),
      column((result) => result.attempt?.statusCode ?? null),
      column((result) => result.attempt?.response ?? null),
    ]);
    const given = new Set(failing.map((row) => row.api_key_id));
    return results.map(({ apiKeyId }) => given.has(apiKeyId));
  }
}
