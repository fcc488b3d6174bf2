import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import type { CampaignStatus } from './campaign.js';
import { addressOf, namesToday, recipientsNamed } from './recipients/recipient-identity.js';

export const lockCampaignStatus = statement({
  name: 'lock-campaign-status',
  params: { id: 'uuid' },
  columns: { status: as<CampaignStatus>('text') },
  text: 'select status from campaigns where id = :id for update',
});

/** Adds the persons that the campaign does not have, in their order; its row is locked. */
export const addCampaignRecipients = statement({
  name: 'add-campaign-recipients',
  params: {
    campaignId: 'uuid',
    accountId: 'uuid',
    mode: 'text',
    places: 'int4[]',
    recipients: 'text[]',
    userIds: 'text[]',
    variables: 'text',
    references: 'text[]',
  },
  columns: { added: 'int4', total: 'int4' },
  text: `
  with input as materialized (
    select t.*, ${addressOf('t')} as address, ${namesToday('t')} as names
    from (select :accountId::uuid as account_id, :mode::text as mode, u.*
      from unnest(:places::int[], :recipients::text[], :userIds::text[], string_to_array(:variables, E'\\n'),
        :references::text[])
        as u (place, recipient, to_user_id, variables, reference)) t
  ), first as materialized (
    select name, min(i.place) as place from input i cross join unnest(i.names) as name group by name
  ), fresh as materialized (
    select i.* from input i
    where not exists (select from first f where f.name = any (i.names) and f.place < i.place)
      and not exists (${recipientsNamed({ columns: '', campaignId: ':campaignId', names: 'i.names', condition: 'true' })})
  ), counted as (
    update campaigns set total = total + (select count(*) from fresh) where id = :campaignId returning total
  ), added as (
    insert into campaign_recipients (campaign_id, position, recipient, to_user_id, address, variables, reference)
    select :campaignId, c.total - (select count(*) from fresh) + row_number() over (order by f.place),
      f.recipient, f.to_user_id, f.address, f.variables::json, f.reference
    from fresh f cross join counted c
  )
  select (select count(*)::int from fresh) as added, total from counted`,
});
