import { statement, unindexed } from '../../database/statements/statement.js';
import { concludedColumns, enterStatusSql } from './message-conclusions.statements.js';

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

/** Cancels what is queued of a campaign, tried or not. */
export const cancelCampaignMessages = statement({
  name: 'cancel-campaign-messages',
  params: { campaignId: 'uuid' },
  columns: concludedColumns,
  text: `
  with waiting as (
    select m.id from messages m where m.campaign_id = :campaignId and m.status = 'queued' order by m.id for update
  ), ${enterStatusSql({
    status: 'cancelled',
    source: 'api',
    where: `where m.id = any (array(select id from waiting)) and ${unindexed('m.status')} = 'queued'`,
  })}`,
});
