import { statement } from '../statements/statement.js';

export const readServerVersion = statement({
  name: 'read-server-version',
  columns: { number: 'int4', name: 'text' },
  text: `
  select current_setting('server_version_num')::int as number,
    current_setting('server_version') as name`,
});
