import { statement } from '../../database/statements/statement.js';

export const changeCampaignDraft = statement({
  name: 'change-campaign-draft',
  params: {
    id: 'uuid',
    name: 'text',
    sendAt: 'timestamptz?',
    perSecond: 'int4?',
    messageEvents: 'text',
    failureRate: 'float4?',
  },
  columns: { id: 'uuid' },
  text: `
  update campaigns set name = :name, send_at = :sendAt, per_second = :perSecond,
    message_events = :messageEvents, failure_rate = :failureRate
  where id = :id and status = 'draft' returning id`,
});
