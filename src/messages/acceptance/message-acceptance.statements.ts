import type { ConsentScope } from '../../contacts/consent.js';
import { optOutOf } from '../../contacts/opt-out-of-message.js';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';

export const findOptOutOf = statement({
  name: 'find-opt-out-of',
  params: {
    accountId: 'uuid',
    mode: 'text',
    type: 'text',
    recipient: 'text?',
    toUserId: 'text?',
    payload: 'text',
  },
  columns: { scope: as<ConsentScope | null>('text') },
  text: `
  select ${optOutOf('m')} as scope
  from (select :accountId::uuid as account_id, :mode::text as mode, :type::text as type, :recipient::text as recipient,
               :toUserId::text as to_user_id, :payload::text as payload) m`,
});
