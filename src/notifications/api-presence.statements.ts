import { statement } from '../database/statements/statement.js';

export const noteApiPresence = statement({
  name: 'note-api-presence',
  text: `
  insert into api_presence as p (seen_at) values (now())
  on conflict (is_only) do update set seen_at = now(),
    returned_at = case when p.seen_at < now() - interval '5 minutes' then now()
      else p.returned_at end`,
});
