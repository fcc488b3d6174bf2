import { statement } from '../../database/statements/statement.js';
import { messageJoin } from '../campaign.js';

export const findKeyName = statement({
  name: 'find-key-name',
  params: { id: 'uuid' },
  columns: { name: 'text' },
  text: 'select name from api_keys where id = :id',
});

export const countCampaignFailures = statement({
  name: 'count-campaign-failures',
  params: { campaignId: 'uuid' },
  columns: { code: 'text', count: 'int4' },
  text: `
  select coalesce(e.error->>'platformCode', e.error->>'reason', 'unknown') as code, count(*)::int as count
  from campaign_recipients r ${messageJoin}
  cross join lateral (select coalesce(r.result->'error', case when m.status = 'failed' then m.error end) as error) e
  where r.campaign_id = :campaignId and e.error is not null
  group by 1 order by 2 desc, 1 limit 20`,
});
