import { statement } from '../database/statements/statement.js';

export const findBusinessAccount = statement({
  name: 'find-business-account',
  params: { phoneNumberId: 'text' },
  columns: { business_account_id: 'text' },
  text: 'select business_account_id from accounts where phone_number_id = :phoneNumberId',
});

export const listNumbers = statement({
  name: 'list-numbers',
  params: { accountId: 'uuid?' },
  columns: { phone_number_id: 'text' },
  text: `
  select phone_number_id from accounts where :accountId::uuid is null or id = :accountId order by id`,
});
