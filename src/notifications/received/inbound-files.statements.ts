import { statement } from '../../database/statements/statement.js';

export const keepInboundFiles = statement({
  name: 'keep-inbound-files',
  params: { accountIds: 'uuid[]', modes: 'text[]', ids: 'text[]', fileNames: 'text[]' },
  text: `
  insert into inbound_media (account_id, mode, media_id, file_name)
  select * from unnest(:accountIds::uuid[], :modes::text[], :ids::text[], :fileNames::text[])
  on conflict do nothing`,
});
