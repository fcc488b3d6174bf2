import { statement } from '../database/statements/statement.js';

export const putQuality = statement({
  name: 'put-quality',
  params: { accountId: 'uuid', event: 'text?', limit: 'text?', at: 'timestamptz' },
  text: `
  update accounts set quality_event = :event, quality_limit = :limit, quality_at = :at
  where id = :accountId and (quality_at is null or quality_at <= :at)`,
});

/** Nothing where a later event is known. */
export const findQualityLimit = statement({
  name: 'find-quality-limit',
  params: { accountId: 'uuid', at: 'timestamptz' },
  columns: { limit: 'text?' },
  text: `
  select quality_limit as limit from accounts
  where id = :accountId and (quality_at is null or quality_at <= :at)`,
});

export const setQualityLimit = statement({
  name: 'set-quality-limit',
  params: { accountId: 'uuid', limit: 'text' },
  text: 'update accounts set quality_limit = :limit where id = :accountId',
});
