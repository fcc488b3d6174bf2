import { statement } from '../database/statements/statement.js';

export const findIdempotencyKey = statement({
  name: 'find-idempotency-key',
  params: { apiKeyId: 'uuid', route: 'text', key: 'text', replayRoute: 'text' },
  columns: { '?column?': 'int4' },
  text: `
  select 1 from idempotency_keys
  where api_key_id = :apiKeyId and route = :route and key = :key and expires_at > now()
  union all
  select 1 from campaign_replays
  where api_key_id = :apiKeyId and route = :replayRoute and key = :key and expires_at > now()`,
});
