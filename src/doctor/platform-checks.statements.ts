import { statement } from '../database/statements/statement.js';

export const findTraffic = statement({
  name: 'find-traffic',
  params: { within: 'interval' },
  columns: { sends: 'bool', hears: 'bool', set_aside: 'int4' },
  text: `
  select exists (select 1 from messages where mode = 'live' and sent_at > now() - :within::interval)
      as sends,
    exists (select 1 from account_notifications where mode = 'live' and last_at > now() - :within::interval) as hears,
    (select count(*)::int from notification_events where state = 'set_aside') as set_aside`,
});
