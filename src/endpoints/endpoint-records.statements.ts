import { statement } from '../database/statements/statement.js';

export const listEndpointsOfKey = statement({
  name: 'list-endpoints-of-key',
  params: { apiKeyId: 'uuid' },
  columns: { id: 'uuid' },
  text: 'select id from webhook_endpoints where api_key_id = :apiKeyId order by id',
});

export const countLeftOut = statement({
  name: 'count-left-out',
  params: { endpointIds: 'uuid[]' },
  text: `
  update webhook_endpoints e set left_out = left_out + t.count
  from (select id, count(*)::int as count from unnest(:endpointIds::uuid[]) as u (id)
    group by id order by id) t
  where e.id = t.id`,
});

export const switchEndpointOff = statement({
  name: 'switch-endpoint-off',
  params: { id: 'uuid', reason: 'text', url: 'text' },
  columns: { accountId: 'uuid', apiKeyId: 'uuid', name: 'text', keyName: 'text' },
  text: `
  update webhook_endpoints e set disabled_at = now(), disabled_reason = :reason
  from api_keys k
  where e.id = :id and e.url = :url and e.disabled_at is null and k.id = e.api_key_id
  returning e.account_id as "accountId", e.api_key_id as "apiKeyId", e.name, k.name as "keyName"`,
});
