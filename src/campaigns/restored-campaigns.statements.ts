import { statement } from '../database/statements/statement.js';

/** The condition for campaigns `c` that would go on by themselves, and have done so in the original of a copy. */
export const goesOnSql = (before: string, passing: string) => `
  (c.status = 'running' and coalesce(c.running_since, c.started_at, c.created_at) < ${before}
    or c.status = 'scheduled' and c.send_at <= ${before}
    or c.status = 'paused' and c.reason = any (${passing}) and c.paused_at < ${before})`;

export const lockRestoredCampaigns = statement({
  name: 'lock-restored-campaigns',
  params: { before: 'timestamptz', passing: 'text[]' },
  columns: { id: 'uuid', accountId: 'uuid', name: 'text' },
  text: `
  select c.id, c.account_id as "accountId", c.name from campaigns c
  where ${goesOnSql(':before::timestamptz', ':passing::text[]')} order by c.id for no key update`,
});
