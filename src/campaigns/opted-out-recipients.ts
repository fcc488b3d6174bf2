import type { EntityManager } from 'typeorm';
import { optOutOf } from '../contacts/opt-out-of-message.js';

/** The opt-out of the recipient `r` from the template of the campaign `c`: `s.scope`, or null. */
export const optOutJoin = `
  cross join lateral (select ${optOutOf('o')} as scope from (select 'template' as type,
    json_build_object('template', json_build_object('name', c.template_name,
      'language', json_build_object('code', c.language))) as payload,
    c.account_id, c.mode, r.recipient, r.to_user_id) o) s`;

/** No bare column: the recipients are found by their addresses. */
const isPending = `r.status || '' = 'pending'`;

const skipSql = `
  with covered as materialized (
    select r.campaign_id, r.position
    from contacts k
    join campaigns c on c.account_id = k.account_id and c.mode = k.mode
      and c.status in ('scheduled', 'running', 'paused')
    cross join lateral (
      select 'contact:' || k.id as address
      union all select 'to:' || form from unnest(phone_forms(k.phone)) as form
      union all select 'user:' || k.user_id where k.user_id is not null
      union all select 'user:' || f.user_id from contact_former_ids f where f.contact_id = k.id
    ) a
    join campaign_recipients r on r.campaign_id = c.id and r.address = a.address
    ${optOutJoin}
    where k.id = any ($1::uuid[]) and ${isPending} and s.scope is not null
    order by r.campaign_id, r.position for update of r
  )
  update campaign_recipients r set status = 'skipped', reason = 'opted_out'
  from covered v where r.campaign_id = v.campaign_id and r.position = v.position and ${isPending}`;

/**
 * Leaves out of campaigns who has opted out, in the transaction of that. Drafts are looked at when they are released.
 * @param contactIds contacts whose opt-out this transaction has recorded.
 */
export async function skipOptedOut(
  manager: EntityManager,
  contactIds: readonly string[],
): Promise<void> {
  await manager.query(skipSql, [contactIds]);
}
