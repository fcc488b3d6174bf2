import {
  familySql,
  namesToday,
  recipientsNamed,
} from '../../campaigns/recipients/recipient-identity.js';
import {
  messageJoin,
  type RecipientStatus,
  recipientStatus,
} from '../../campaigns/recipients/recipient-status.js';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';
import { isSentAgain } from '../message.js';

/**
 * The newest campaign that has reached the recipient of a campaign's message by another try, or has them waiting for one:
 * of those that try each other's recipients again. The same for a message that was sent again for one of a campaign.
 */
export const findRetryOfMessage = statement({
  name: 'find-retry-of-message',
  params: { id: 'uuid' },
  columns: {
    campaign_id: 'uuid',
    campaign_name: 'text',
    message_id: 'uuid?',
    status: as<RecipientStatus>('text'),
  },
  text: `
  with recursive chain as (
    select m.id, m.resent_from, m.campaign_id, m.account_id, m.mode, m.recipient, m.to_user_id
    from messages m where m.id = :id
    union all
    select m.id, m.resent_from, m.campaign_id, m.account_id, m.mode, m.recipient, m.to_user_id
    from chain n join messages m on m.id = n.resent_from
  ), asked as (
    select c.id, c.retry_of from campaigns c where c.id in (select campaign_id from chain)
  ), ${familySql('asked')},
  person as (select ${namesToday('p')} as names from chain p where p.id = :id)
  select c.id as campaign_id, c.name as campaign_name, r.message_id, ${recipientStatus} as status
  from asked a join family f on f.of_id = a.id join campaigns c on c.id = f.id and c.id <> a.id
    cross join person p
    cross join lateral (${recipientsNamed({
      columns: 'r.*',
      campaignId: 'c.id',
      names: 'p.names',
      condition: 'true',
    })}) r ${messageJoin}
  where ${recipientStatus} not in ('failed', 'cancelled', 'skipped') or ${isSentAgain('r.message_id')}
  order by c.id desc limit 1`,
});
