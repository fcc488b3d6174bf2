import { statement } from '../database/statements/statement.js';

export const publishHints = statement({
  name: 'publish-hints',
  params: { channel: 'text', text: 'text' },
  columns: { pg_notify: 'void' },
  text: 'select pg_notify(:channel, :text)',
});
