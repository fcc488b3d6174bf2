import { statement } from '../../database/statements/statement.js';
import { isRelayedSql } from '../../events/hearers.js';

export const listRoutedAccounts = statement({
  name: 'list-routed-accounts',
  columns: {
    id: 'uuid',
    phoneNumberId: 'text',
    businessAccountId: 'text',
    displayPhoneNumber: 'text',
    version: 'text',
    isRelayed: 'bool',
  },
  text: `
  select a.id, a.phone_number_id as "phoneNumberId", a.business_account_id as "businessAccountId",
    a.display_phone_number as "displayPhoneNumber", a.version::text, ${isRelayedSql} as "isRelayed"
  from accounts a order by a.id`,
});
