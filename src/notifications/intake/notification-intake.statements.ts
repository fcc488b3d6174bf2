import { statement } from '../../database/statements/statement.js';
import { accountsFingerprintSql } from './app-secrets.statements.js';

/* Nothing is stored where the accounts are not those that the process has read. */
export const storeNotifications = statement({
  name: 'store-notifications',
  params: {
    ids: 'uuid[]',
    modes: 'text[]',
    accountIds: 'text[]',
    bodies: 'bytea[]',
    fingerprint: 'text?',
  },
  columns: { isStored: 'bool' },
  text: `
  with accounts_now as (select (${accountsFingerprintSql}) = :fingerprint as are_known), stored as (
    insert into platform_notifications (id, mode, account_ids, body)
    select id, mode, account_ids::uuid[], body
    from unnest(:ids::uuid[], :modes::text[], :accountIds::text[], :bodies::bytea[])
      as t (id, mode, account_ids, body)
    where (select are_known from accounts_now)
    order by id
  )
  select are_known as "isStored" from accounts_now`,
});
