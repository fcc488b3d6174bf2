import { Injectable } from '@nestjs/common';
import { HotStatements } from '../../database/hot-statements.js';

/** Longer than an attempt takes, so that only the deliveries of a dead worker are claimed again. */
const leaseSeconds = 30;

/** Attempts at one endpoint at once, from one worker. */
export const endpointMax = 8;

/** A delivery that this worker makes now. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly apiKeyId: string;
  /** The number of this attempt, from 1. */
  readonly number: number;
  /** Tries since the delivery was made or asked for again, with this one. */
  readonly tries: number;
  readonly body: string;
  /** The trace of the message that it tells of; null where that is not traced. */
  readonly traceparent: string | null;
  /** Null when the key has no webhook any more, or is gone. */
  readonly url: string | null;
  readonly isOff: boolean;
  /** Sealed; the second one only during a rotation. */
  readonly sealedSecrets: readonly string[];
}

/** How many attempts an endpoint may have now. */
export interface EndpointRoom {
  readonly apiKeyId: string;
  readonly free: number;
}

/*
 * Each endpoint gives at most as many rows as it has room, whatever waits for it, so one with a long
 * backlog takes nothing from the others. The lease is the time of the next attempt: when the worker
 * dies, the delivery is due again.
 */
const claim = (endpoints: string) => `
  with room as (
    select e.id, coalesce(busy.free, ${endpointMax}) as free
    from (${endpoints}) e left join unnest($1::uuid[], $2::int[]) as busy (id, free) on busy.id = e.id
  ), due as materialized (
    select d.id from room r cross join lateral (
      select w.id from webhook_deliveries w
      where w.api_key_id = r.id and w.next_attempt_at <= now()
      order by w.next_attempt_at limit r.free for update skip locked
    ) d limit $3
  ), claimed as (
    update webhook_deliveries d set attempts = d.attempts + 1,
      next_attempt_at = clock_timestamp() + interval '${leaseSeconds} seconds'
    from due where d.id = due.id and d.id = any (array(select id from due))
    returning d.id, d.event_id, d.api_key_id, d.attempts, d.attempts_before
  )
  select c.id, c.event_id as "eventId", c.api_key_id as "apiKeyId", c.attempts as number,
    c.attempts - c.attempts_before as tries, e.body, e.traceparent, k.webhook_url as url,
    k.webhook_disabled_at is not null as "isOff",
    array_remove(array[k.webhook_secret, case when k.previous_webhook_expires_at > now()
      then k.previous_webhook_secret end], null) as "sealedSecrets"
  from claimed c join webhook_events e on e.id = c.event_id
  left join api_keys k on k.id = c.api_key_id`;

const claimForStatement = {
  name: 'claim-deliveries-for',
  text: claim('select unnest($4::uuid[]) as id'),
};

const claimDueStatement = { name: 'claim-due-deliveries', text: claim('select id from api_keys') };

/** Claims deliveries, fairly among endpoints. */
@Injectable()
export class DeliveryClaims {
  constructor(private readonly statements: HotStatements) {}

  /** What is due at the given endpoints. */
  claimFor(
    apiKeyIds: readonly string[],
    busy: readonly EndpointRoom[],
    limit: number,
  ): Promise<ClaimedDelivery[]> {
    return this.statements.run(claimForStatement, [...columnsOf(busy), limit, apiKeyIds]);
  }

  /** What is due anywhere. */
  claimDue(busy: readonly EndpointRoom[], limit: number): Promise<ClaimedDelivery[]> {
    return this.statements.run(claimDueStatement, [...columnsOf(busy), limit]);
  }
}

function columnsOf(busy: readonly EndpointRoom[]): [string[], number[]] {
  return [busy.map(({ apiKeyId }) => apiKeyId), busy.map(({ free }) => Math.max(0, free))];
}
