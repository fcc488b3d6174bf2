import type { MigrationInterface, QueryRunner } from 'typeorm';

/*
 * Endpoints in use that get events which their keys may not read: from now on they do not. The default ones, whose address a
 * person sets, go on as before.
 */
const alertSql = `
  with losses as (
    select e.account_id, e.id, k.id as api_key_id, left(e.name, 100) as name, left(k.name, 100) as key_name,
      n.permission, array_agg(n.event order by n.event) as events
    from webhook_endpoints e
    join api_keys k on k.id = e.api_key_id and k.revoked_at is null
    join (values ('message.received', 'view_messages'), ('contact.changed', 'manage_contacts'),
      ('contact.consent', 'manage_contacts')) as n (event, permission)
      on n.event = any (coalesce(e.events, array['message.received', 'message.status', 'webhook.test']))
        and n.permission <> all (k.permissions)
    where e.id <> k.id and e.url is not null and e.deleted_at is null and e.scope = 'key'
    group by e.account_id, e.id, k.id, n.permission
  )
  insert into alerts (id, account_id, kind, subject, message, details)
  select uuidv7(), account_id, 'events_withheld', 'endpoints',
    'Endpoints no longer get events that their keys may not read: ' || string_agg(
      '“' || name || '” of the key “' || key_name || '” loses ' || array_to_string(events, ', ')
        || ' (needs ' || permission || ')', '; ' order by name, id, permission) || '.',
    jsonb_build_object('endpoints', jsonb_agg(jsonb_build_object('endpoint_id', id, 'api_key_id', api_key_id,
      'events', events, 'permission', permission) order by name, id, permission))
  from losses group by account_id
  on conflict (account_id, kind, subject) where resolved_at is null do nothing`;

/** Events need the permission that reading them needs: an alert names the endpoints that lose some. */
export class WithheldEvents1798000014000 implements MigrationInterface {
  name = 'WithheldEvents1798000014000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(alertSql);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: to go back, restore a backup.');
  }
}
