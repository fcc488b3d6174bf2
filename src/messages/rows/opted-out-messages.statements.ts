import { formsOf } from '../../contacts/forms/number-forms.js';
import { optOutOf } from '../../contacts/opt-out-of-message.js';
import { statement, unindexed } from '../../database/statements/statement.js';
import { concludedColumns, enterStatusSql } from './message-conclusions.statements.js';
import { moveScheduledSql } from './scheduled-rows.statements.js';

const isQueued = `${unindexed('m.status')} = 'queued'`;

/**
 * Messages to contacts, by whatever number or id of theirs.
 * @param condition of the rows `m` of the table.
 */
const messagesToSql = (table: string, condition: string) => `
  select m.id from contacts c join ${table} m on m.account_id = c.account_id and m.mode = c.mode
    and m.recipient = any (${formsOf('c', 'c.phone')})
  where c.id = any (:contactIds::uuid[]) and ${condition}
  union
  select m.id from (
    select account_id, mode, user_id from contacts where id = any (:contactIds::uuid[]) and user_id is not null
    union all
    select account_id, mode, user_id from contact_former_ids where contact_id = any (:contactIds::uuid[])
  ) u join ${table} m on m.account_id = u.account_id and m.mode = u.mode
    and m.to_user_id = u.user_id
  where ${condition}`;

export const findQueuedTo = statement({
  name: 'find-queued-to',
  params: { contactIds: 'uuid[]' },
  columns: { id: 'uuid' },
  text: messagesToSql('messages', `m.type = 'template' and ${isQueued}`),
});

/** What would go out as its fallback is covered when it is released. */
export const failScheduledTo = statement({
  name: 'fail-scheduled-to',
  params: { contactIds: 'uuid[]', failure: 'jsonb' },
  columns: concludedColumns,
  text: `
  with ${moveScheduledSql(
    `
    select m.id, 'failed' as status, :failure::jsonb as error, false as is_replaced
    from scheduled_messages m
    where m.id = any (array(${messagesToSql('scheduled_messages', `m.type = 'template' and not m.withdrawn`)}))
      and ${optOutOf('m')} is not null
    order by m.id for update of m`,
    'recovery',
  )}`,
});

/** Tried or not: what is queued is with nobody. */
export const failOptedOut = statement({
  name: 'fail-opted-out',
  params: { ids: 'uuid[]', failure: 'jsonb' },
  columns: concludedColumns,
  text: `
  with covered as materialized (
    select m.id from messages m
    where m.id = any (:ids::uuid[]) and ${isQueued} and ${optOutOf('m')} is not null
    order by m.id for update of m
  ), ${enterStatusSql({
    status: 'failed',
    source: 'recovery',
    failure: ':failure::jsonb',
    where: 'from covered where m.id = covered.id and m.id = any (:ids::uuid[])',
  })}`,
});
