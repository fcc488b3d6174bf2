import { statement } from '../database/statements/statement.js';

export const findDayAndVersion = statement({
  name: 'find-day-and-version',
  params: { apiKeyId: 'uuid', accountId: 'uuid', day: 'int4' },
  columns: { version: 'int8?', used: 'int4?' },
  text: `
  select (select version from accounts where id = :accountId) as version,
    (select used from api_key_usage where api_key_id = :apiKeyId and day = :day) as used`,
});
