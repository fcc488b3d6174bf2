import { statement } from '../database/statements/statement.js';

/** Locked in one order: two operators who remove each other must not both succeed. */
export const lockOperators = statement({
  name: 'lock-operators',
  columns: { id: 'uuid' },
  text: `
  select id from users where role = 'operator' and active and password_hash is not null
  order by id for update`,
});
