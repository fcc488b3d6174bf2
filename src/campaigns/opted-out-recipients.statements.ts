import { namesOfContact } from '../contacts/names-of-person.js';
import { optOutOf } from '../contacts/opt-out-of-message.js';
import { statement, unindexed } from '../database/statements/statement.js';
import { recipientsNamed } from './recipients/recipient-identity.js';

const isPending = `${unindexed('r.status')} = 'pending'`;

/** The opt-out of the recipient `r` from the template of the campaign `c`: `s.scope`, or null. */
export const optOutJoin = `
  cross join lateral (select ${optOutOf('o')} as scope from (select 'template' as type,
    json_build_object('template', json_build_object('name', c.template_name,
      'language', json_build_object('code', c.language))) as payload,
    c.account_id, c.mode, r.recipient, r.to_user_id) o) s`;

/** Looks up each person in each campaign that is not at its end; how many have ended makes no difference. */
export const skipOptedOut = statement({
  name: 'skip-opted-out',
  params: { contactIds: 'uuid[]' },
  text: `
  with active as materialized (
    select c.id, c.account_id, c.mode from campaigns c where c.status in ('scheduled', 'running', 'paused')
  ), persons as materialized (
    select k.account_id, k.mode, array${namesOfContact('k')} as names from contacts k where k.id = any (:contactIds::uuid[])
  ), found as materialized (
    select f.campaign_id, f.position from active a
    join persons p on p.account_id = a.account_id and p.mode = a.mode
    cross join lateral (${recipientsNamed({
      columns: 'r.campaign_id, r.position',
      campaignId: 'a.id',
      names: 'p.names',
      condition: isPending,
    })}) f
  ), covered as materialized (
    select r.campaign_id, r.position
    from found f join campaigns c on c.id = f.campaign_id
    join campaign_recipients r on r.campaign_id = f.campaign_id and r.position = f.position
    ${optOutJoin}
    where ${isPending} and s.scope is not null
    order by r.campaign_id, r.position for update of r
  )
  update campaign_recipients r set status = 'skipped', reason = 'opted_out'
  from covered v where r.campaign_id = v.campaign_id and r.position = v.position and ${isPending}`,
});
