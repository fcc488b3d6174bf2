import { statement } from '../database/statements/statement.js';

/** Counts one attempt; `ttl` is in milliseconds. */
export const countAttempt = statement({
  name: 'count-attempt',
  params: { key: 'text', ttl: 'numeric' },
  columns: { hits: 'int4', seconds: 'int4' },
  text: `
  insert into attempt_counters as c (key, hits, expires_at)
  values (:key, 1, now() + make_interval(secs => :ttl / 1000.0))
  on conflict (key) do update set
    hits = case when c.expires_at <= now() then 1 else c.hits + 1 end,
    expires_at = case when c.expires_at <= now() then excluded.expires_at else c.expires_at end
  returning hits, ceil(extract(epoch from expires_at - now()))::int as seconds`,
});

export const giveBackAttempts = statement({
  name: 'give-back-attempts',
  params: { keys: 'text[]' },
  text: 'update attempt_counters set hits = hits - 1 where key = any (:keys) and hits > 0',
});
