import { statement } from '../../database/statements/statement.js';

export const findInboundFile = statement({
  name: 'find-inbound-file',
  params: { accountId: 'uuid?', mode: 'text?', mediaId: 'text' },
  columns: { file_name: 'text?' },
  text: `
  select file_name from inbound_media where account_id = :accountId and mode = :mode and media_id = :mediaId`,
});

/** Also what the account has uploaded. */
export const findAnyFile = statement({
  name: 'find-any-file',
  params: { accountId: 'uuid?', mode: 'text?', mediaId: 'text' },
  columns: { file_name: 'text?' },
  text: `
  ${findInboundFile.parts.text}
  union all
  select file_name from uploads where account_id = :accountId and mode = :mode and platform_id = :mediaId
  limit 1`,
});
