import { statement } from '../database/statements/statement.js';

export const keepBodies = statement({
  name: 'keep-bodies',
  params: { requestIds: 'uuid[]', accountIds: 'uuid[]', bodies: 'text[]' },
  text: `
  insert into request_bodies (request_id, account_id, sealed_body, expires_at)
  select request_id, account_id, sealed_body, now() + interval '1 hour'
  from unnest(:requestIds::uuid[], :accountIds::uuid[], :bodies::text[]) as t (request_id, account_id, sealed_body)
  on conflict do nothing`,
});

export const findBody = statement({
  name: 'find-body',
  params: { requestId: 'uuid', accountId: 'uuid?' },
  columns: { sealed: 'text', keptUntil: 'timestamptz' },
  text: `
  select sealed_body as sealed, expires_at as "keptUntil" from request_bodies
  where request_id = :requestId and (:accountId::uuid is null or account_id = :accountId)
    and expires_at > now()`,
});
