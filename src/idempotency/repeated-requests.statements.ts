import { statement } from '../database/statements/statement.js';

const params = { apiKeyId: 'uuid', route: 'text', key: 'text' } as const;

export const findReplay = statement({
  name: 'find-replay',
  params,
  columns: { body_digest: 'bytea', answer: 'json' },
  text: `
  select body_digest, answer from campaign_replays
  where api_key_id = :apiKeyId and route = :route and key = :key and expires_at > now()`,
});

export const forgetEndedReplay = statement({
  name: 'forget-ended-replay',
  params,
  text: `
  delete from campaign_replays
  where api_key_id = :apiKeyId and route = :route and key = :key and expires_at <= now()`,
});

/** A request under the same key that is under way is waited for. */
export const addReplay = statement({
  name: 'add-replay',
  params: { ...params, digest: 'bytea' },
  columns: { key: 'text' },
  text: `
  insert into campaign_replays (api_key_id, route, key, body_digest, answer, expires_at)
  values (:apiKeyId, :route, :key, :digest, '{}', now() + interval '24 hours')
  on conflict do nothing returning key`,
});

export const answerReplay = statement({
  name: 'answer-replay',
  params: { ...params, answer: 'json' },
  text: `
  update campaign_replays set answer = :answer
  where api_key_id = :apiKeyId and route = :route and key = :key`,
});
