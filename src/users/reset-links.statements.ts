import { statement } from '../database/statements/statement.js';

export const putResetLink = statement({
  name: 'put-reset-link',
  params: { userId: 'uuid', digest: 'bytea', hours: 'int4' },
  columns: { expires_at: 'timestamptz' },
  text: `
  insert into reset_links (user_id, digest, expires_at)
  values (:userId, :digest, now() + make_interval(hours => :hours))
  on conflict (user_id) do update set digest = excluded.digest, expires_at = excluded.expires_at
  returning expires_at`,
});

export const findLinkOwner = statement({
  name: 'find-link-owner',
  params: { digest: 'bytea' },
  columns: { id: 'uuid', email: 'text', accountId: 'uuid?' },
  text: `
  select u.id, u.email, u.account_id as "accountId"
  from reset_links l join users u on u.id = l.user_id
  where l.digest = :digest and l.expires_at > now() and u.active`,
});

export const takeResetLink = statement({
  name: 'take-reset-link',
  params: { digest: 'bytea' },
  text: 'delete from reset_links where digest = :digest and expires_at > now()',
});

export const endResetLink = statement({
  name: 'end-reset-link',
  params: { userId: 'uuid' },
  text: 'delete from reset_links where user_id = :userId',
});
