import { statement } from '../database/statements/statement.js';

export const findCredentials = statement({
  name: 'find-credentials',
  params: { accountId: 'uuid' },
  columns: {
    phone_number_id: 'text',
    business_account_id: 'text',
    access_token: 'text',
    version: 'int8',
  },
  text: `
  select phone_number_id, business_account_id, access_token, version
  from accounts where id = :accountId`,
});
