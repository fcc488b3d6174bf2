import { statement } from '../../database/statements/statement.js';

const factTypes = {
  quality: 'text?',
  messagingLimit: 'text?',
  nameStatus: 'text?',
  verifiedName: 'text?',
  tokenValid: 'bool?',
  tokenExpiresAt: 'timestamptz?',
} as const;

export const putHealth = statement({
  name: 'put-health',
  params: { accountId: 'uuid', at: 'timestamptz', ...factTypes },
  text: `
  insert into number_health (account_id, read_at, quality, messaging_limit, name_status,
    verified_name, token_valid, token_expires_at)
  values (:accountId, :at, :quality, :messagingLimit, :nameStatus, :verifiedName, :tokenValid, :tokenExpiresAt)
  on conflict (account_id) do update set read_at = excluded.read_at, quality = excluded.quality,
    messaging_limit = excluded.messaging_limit, name_status = excluded.name_status,
    verified_name = excluded.verified_name, token_valid = excluded.token_valid,
    token_expires_at = excluded.token_expires_at`,
});

export const setMessagingLimit = statement({
  name: 'set-messaging-limit',
  params: { accountId: 'uuid', limit: 'text?' },
  text: 'update number_health set messaging_limit = :limit where account_id = :accountId',
});

/** The limit is the newest that is known, by a reading or a report. */
export const lockHealth = statement({
  name: 'lock-health',
  params: { accountId: 'uuid' },
  columns: { event: 'text?', limit: 'text?', readAt: 'timestamptz?', ...factTypes },
  text: `
  select a.quality_event as event, coalesce(h.messaging_limit, a.quality_limit) as limit,
    h.read_at as "readAt", h.quality, h.name_status as "nameStatus",
    coalesce(h.messaging_limit, a.quality_limit) as "messagingLimit",
    h.verified_name as "verifiedName", h.token_valid as "tokenValid",
    h.token_expires_at as "tokenExpiresAt"
  from accounts a left join number_health h on h.account_id = a.id
  where a.id = :accountId for no key update of a`,
});

export const addHealthChanges = statement({
  name: 'add-health-changes',
  params: {
    accountId: 'uuid',
    ids: 'uuid[]',
    fields: 'text[]',
    before: 'text[]',
    after: 'text[]',
  },
  text: `
  insert into number_health_changes (id, account_id, field, before, after)
  select id, :accountId, field, before, after
  from unnest(:ids::uuid[], :fields::text[], :before::text[], :after::text[]) as t (id, field, before, after)`,
});

export const forgetHealthChanges = statement({
  name: 'forget-health-changes',
  params: { accountId: 'uuid', kept: 'int8' },
  text: `
  delete from number_health_changes where account_id = :accountId and id <=
    (select id from number_health_changes where account_id = :accountId order by id desc offset :kept limit 1)`,
});

/** The newest first. */
export const listHealthChanges = statement({
  name: 'list-health-changes',
  params: { accountId: 'uuid', cursor: 'uuid?', limit: 'int8' },
  columns: { id: 'uuid', at: 'timestamptz', field: 'text', before: 'text?', after: 'text' },
  text: `
  select id, at, field, before, after from number_health_changes
  where account_id = :accountId and (:cursor::uuid is null or id < :cursor)
  order by id desc limit :limit`,
});

export const listAccountsInUse = statement({
  name: 'list-accounts-in-use',
  columns: { id: 'uuid' },
  text: 'select id from accounts where active and verified_at is not null order by id',
});
