import { statement } from '../database/statements/statement.js';

export const raiseVersion = statement({
  name: 'raise-version',
  params: { accountId: 'uuid' },
  columns: { version: 'int8' },
  text: `
  update accounts set version = version + 1, updated_at = now()
  where id = :accountId returning version`,
});
