import { InputRows } from '../../database/statements/input-rows.js';
import { statement } from '../../database/statements/statement.js';

export const keyInput = new InputRows({ apiKeyId: 'uuid', route: 'text', key: 'text' });

/** What the idempotency keys name; nothing for those that are free. Deletes those that have expired. */
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
  ), expired as (
    delete from idempotency_keys using input
    where idempotency_keys.api_key_id = input.api_key_id and idempotency_keys.route = input.route
      and idempotency_keys.key = input.key and expires_at <= now()
    returning message_id
  )
  select api_key_id, route, key, body_digest, message_id
  from input join idempotency_keys using (api_key_id, route, key)
  where message_id not in (select message_id from expired)`,
});
