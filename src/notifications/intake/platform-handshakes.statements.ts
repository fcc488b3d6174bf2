import { statement } from '../../database/statements/statement.js';

export const notePlatformHandshake = statement({
  name: 'note-platform-handshake',
  text: `
  insert into platform_handshakes (confirmed_at) values (now())
  on conflict (is_only) do update set confirmed_at = excluded.confirmed_at`,
});
