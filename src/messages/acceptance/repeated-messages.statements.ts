import { InputRows } from '../../database/statements/input-rows.js';
import { statement } from '../../database/statements/statement.js';

export const keyInput = new InputRows({ apiKeyId: 'uuid', route: 'text', key: 'text' });

/**
 * What the idempotency keys name; nothing for those that are free. Deletes those that have expired. Each is looked up by
 * itself ("offset 0"): PostgreSQL would read all that have expired, which may be many until they are cleaned up.
 */
export const findMessagesOfKeys = statement({
  name: 'find-messages-of-keys',
  params: keyInput.params,
  columns: {
    api_key_id: 'uuid',
    route: 'text',
    key: 'text',
    body_digest: 'bytea',
    message_id: 'uuid',
  },
  text: `
  with input as (
    select distinct ${keyInput.columns} from ${keyInput.sql}
  ), known as materialized (
    select input.*, k.body_digest, k.message_id, k.expires_at <= now() as is_over
    from input cross join lateral (select * from idempotency_keys k
      where k.api_key_id = input.api_key_id and k.route = input.route and k.key = input.key offset 0) k
  ), expired as (
    delete from idempotency_keys k using known n
    where n.is_over and k.api_key_id = n.api_key_id and k.route = n.route and k.key = n.key
      and k.message_id = n.message_id
  )
  select api_key_id, route, key, body_digest, message_id from known where not is_over`,
});
