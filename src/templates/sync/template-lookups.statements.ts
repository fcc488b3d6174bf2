import { statement } from '../../database/statements/statement.js';

export const takeTemplateLookup = statement({
  name: 'take-template-lookup',
  params: { accountId: 'uuid', mode: 'text', name: 'text', seconds: 'float8', namesMax: 'int8' },
  columns: { taken: 'int4' },
  text: `
  insert into template_lookups as l (account_id, mode, name, expires_at)
  select :accountId, :mode, :name, now() + make_interval(secs => :seconds)
  where (select count(*) from template_lookups
         where account_id = :accountId and mode = :mode and expires_at > now()) < :namesMax
  on conflict (account_id, mode, name) do update set expires_at = excluded.expires_at
  where l.expires_at <= now()
  returning 1 as taken`,
});
