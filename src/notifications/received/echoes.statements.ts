import { contactOf } from '../../contacts/contact-of-message.js';
import { statement } from '../../database/statements/statement.js';

/** In the order that is asked for. */
export const findEchoContacts = statement({
  name: 'find-echo-contacts',
  params: { accountIds: 'uuid[]', modes: 'text[]', phones: 'text[]', userIds: 'text[]' },
  columns: { contact_id: 'uuid?' },
  text: `
  select ${contactOf('t')} as contact_id
  from unnest(:accountIds::uuid[], :modes::text[], :phones::text[], :userIds::text[])
    with ordinality as t (account_id, mode, recipient, to_user_id, position)
  order by t.position`,
});
