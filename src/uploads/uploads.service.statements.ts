import { statement } from '../database/statements/statement.js';

export const lockUpload = statement({
  name: 'lock-upload',
  params: { key: 'text' },
  columns: { pg_advisory_xact_lock: 'void' },
  text: 'select pg_advisory_xact_lock(hashtextextended(:key, 0))',
});

/** The same file of before while it has more than a day left, under its new name; else a new one. */
export const putUpload = statement({
  name: 'put-upload',
  params: {
    accountId: 'uuid',
    mode: 'text',
    sha256: 'bytea',
    mimeType: 'text',
    kind: 'text',
    size: 'int4',
    platformId: 'text',
    expiresAt: 'timestamptz',
    name: 'text?',
  },
  columns: { id: 'uuid', expires_at: 'timestamptz', platform_id: 'text' },
  text: `
  with known as (
    select id, expires_at, platform_id from uploads
    where account_id = :accountId and mode = :mode and sha256 = :sha256 and mime_type = :mimeType
      and expires_at > now() + interval '1 day'
    order by expires_at desc limit 1
  ), renamed as (
    update uploads u set file_name = :name from known
    where u.id = known.id and u.file_name is distinct from :name
  ), made as (
    insert into uploads (id, account_id, mode, sha256, mime_type, kind, size, platform_id, expires_at, file_name)
    select new_id(), :accountId, :mode, :sha256, :mimeType, :kind, :size, :platformId, :expiresAt, :name
    where not exists (select from known)
    returning id, expires_at, platform_id
  )
  select * from known union all select * from made`,
});
