import { statement } from '../database/statements/statement.js';

export const findCredentials = statement({
  name: 'find-credentials',
  params: { accountId: 'uuid' },
  columns: {
    phoneNumberId: 'text',
    businessAccountId: 'text',
    accessToken: 'text',
    /** Of the account, as of this reading. */
    version: 'float8',
  },
  text: `
  select phone_number_id as "phoneNumberId", business_account_id as "businessAccountId",
    access_token as "accessToken", version::float8
  from accounts where id = :accountId`,
});
