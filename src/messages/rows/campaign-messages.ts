import type { EntityManager } from 'typeorm';
import type { ConcludedMessage } from './message-conclusions.js';
import { logWith, statusEntries } from './message-history.js';
import { endpointsToWake, insertStatusEventsSql, toldColumns } from './status-events.js';

/** How long a message may be tried again, and how long it may wait for a first try, such as while its number is on hold. */
const retriedFor = `interval '15 minutes'`;
const waitsFor = `interval '24 hours'`;

/**
 * Stores the messages of a campaign as queued ones; part of the statement that releases its recipients.
 * @param from an expression with the rows: `message_id`, `account_id`, `api_key_id`, `mode`, `recipient`, `to_user_id`,
 * `reference`, `payload` without our own id, `campaign_id`.
 */
export const insertCampaignMessagesSql = (from: string) => `
  insert into messages (id, account_id, api_key_id, mode, type, recipient, to_user_id, reference, payload,
    waiting, next_attempt_at, give_up_at, expires_at, created_at, campaign_id)
  select v.message_id, v.account_id, v.api_key_id, v.mode, 'template', v.recipient, v.to_user_id, v.reference,
    v.payload::json, false, now(), now() + ${retriedFor}, now() + ${waitsFor}, now(), v.campaign_id
  from ${from} v order by v.message_id`;

const cancelSql = `
  with waiting as (
    select m.id from messages m where m.campaign_id = $1 and m.status = 'queued' order by m.id for update
  ), changed as (
    update messages m set status = 'cancelled', log = ${logWith(
      statusEntries({ status: `'cancelled'`, at: 'clock_timestamp()', source: 'api' }),
    )}
    where m.id = any (array(select id from waiting)) and m.status || '' = 'queued'
    returning ${toldColumns}
  ), ${insertStatusEventsSql('changed')}
  select c.id, c.origin, c.status, null::jsonb as failure, ${endpointsToWake} as "endpointsToWake",
    c.fallback_for as "fallbackFor"
  from changed c`;

/** Cancels what is queued of a campaign, tried or not. @returns what to publish after the commit. */
export function cancelCampaignMessages(
  manager: EntityManager,
  campaignId: string,
): Promise<ConcludedMessage[]> {
  return manager.query(cancelSql, [campaignId]);
}
