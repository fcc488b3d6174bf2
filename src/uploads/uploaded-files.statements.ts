import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import type { MediaKind } from './media-kinds.js';

export const listUploads = statement({
  name: 'list-uploads',
  params: { ids: 'uuid[]', accountId: 'uuid', mode: 'text' },
  columns: {
    id: 'uuid',
    kind: as<MediaKind>('text'),
    mime_type: 'text',
    platform_id: 'text',
    file_name: 'text?',
    expires_at: 'timestamptz',
  },
  text: `
  select id, kind, mime_type, platform_id, file_name, expires_at from uploads
  where id = any (:ids::uuid[]) and account_id = :accountId and mode = :mode`,
});
