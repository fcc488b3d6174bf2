import { statement } from '../database/statements/statement.js';

export const lockKeyNames = statement({
  name: 'lock-key-names',
  params: { accountId: 'uuid' },
  text: 'select from accounts where id = :accountId for no key update',
});

export const listOtherKeyNames = statement({
  name: 'list-other-key-names',
  params: { accountId: 'uuid', ownId: 'uuid?' },
  columns: { name: 'text' },
  text: 'select name from api_keys where account_id = :accountId and id is distinct from :ownId',
});
