import { statement } from '../database/statements/statement.js';

export const forgetCounters = statement({
  name: 'forget-counters',
  params: { counters: 'uuid[]' },
  text: 'delete from quota_counters where api_key_id = any (:counters)',
});

export const forgetDays = statement({
  name: 'forget-days',
  params: { apiKeyId: 'uuid' },
  text: 'delete from api_key_usage where api_key_id = :apiKeyId',
});

export const forgetLastUse = statement({
  name: 'forget-last-use',
  params: { apiKeyId: 'uuid' },
  text: 'delete from api_key_last_used where api_key_id = :apiKeyId',
});

/** Locked in the order in which the counter writes them. */
export const forgetSecretUses = statement({
  name: 'forget-secret-uses',
  params: { apiKeyId: 'uuid', kept: 'text[]' },
  text: `
  with former as (
    select digest from secret_last_used where api_key_id = :apiKeyId and digest <> all (:kept)
    order by digest for update)
  delete from secret_last_used
  where api_key_id = :apiKeyId and digest in (select digest from former)`,
});
