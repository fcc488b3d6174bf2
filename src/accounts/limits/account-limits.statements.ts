import { statement } from '../../database/statements/statement.js';

export const lockLimits = statement({
  name: 'lock-limits',
  params: { accountId: 'uuid' },
  columns: {
    keys: 'int4?',
    endpoints: 'int4?',
    rate_limit_per_minute: 'int4?',
    daily_limit: 'int4?',
  },
  text: `
  select keys_max as keys, endpoints_max as endpoints, rate_per_minute_max as rate_limit_per_minute,
    daily_limit_max as daily_limit
  from accounts where id = :accountId for no key update`,
});
