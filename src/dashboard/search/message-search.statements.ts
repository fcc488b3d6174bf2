import type { Mode } from '../../access/mode.js';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';
import { allMessages } from '../../messages/reads/message-tables.statements.js';
import type { MessageStatus } from '../../messages/rows/message-status.js';

export const findFoundMessages = statement({
  name: 'find-found-messages',
  params: { ids: 'uuid[]' },
  columns: {
    id: 'uuid',
    accountId: 'uuid',
    mode: as<Mode>('text'),
    status: as<MessageStatus>('text'),
    recipient: 'text?',
    toUserId: 'text?',
    reference: 'text?',
    createdAt: 'timestamptz',
  },
  text: `
  select id, account_id as "accountId", mode, coalesce(receipt, status) as status, recipient,
    to_user_id as "toUserId", reference, created_at as "createdAt"
  from ${allMessages} m where id = any (:ids::uuid[])`,
});
