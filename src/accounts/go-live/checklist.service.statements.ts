import { statement } from '../../database/statements/statement.js';

export const findWebhookFacts = statement({
  name: 'find-webhook-facts',
  params: { accountId: 'uuid' },
  columns: { confirmedAt: 'timestamptz?', firstAt: 'timestamptz?', lastAt: 'timestamptz?' },
  text: `
  select (select confirmed_at from platform_handshakes) as "confirmedAt",
    coalesce(n.first_at, n.last_at) as "firstAt", n.last_at as "lastAt"
  from (select) as one
    left join account_notifications n on n.account_id = :accountId and n.mode = 'live'`,
});

/** When the newest live message was made that the platform accepted. */
export const findNewestAccepted = statement({
  name: 'find-newest-accepted',
  params: { accountId: 'uuid', limit: 'int8' },
  columns: { at: 'timestamptz' },
  text: `
  select coalesce(sent_at, created_at) as at
  from (select id, mode, platform_message_id, sent_at, created_at from messages
        where account_id = :accountId order by id desc limit :limit) as newest
  where mode = 'live' and platform_message_id is not null order by id desc limit 1`,
});

export const noteVerified = statement({
  name: 'note-verified',
  params: { accountId: 'uuid' },
  text: 'update accounts set verified_at = now() where id = :accountId and verified_at is null',
});
