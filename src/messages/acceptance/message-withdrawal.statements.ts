import { InputRows } from '../../database/statements/input-rows.js';
import { statement } from '../../database/statements/statement.js';
import { concludedColumns } from '../rows/message-conclusions.statements.js';
import { logWith, statusEntries } from '../rows/message-history.js';
import { moveScheduledSql } from '../rows/scheduled-rows.statements.js';

const failed = statusEntries({ status: `'failed'`, at: 'clock_timestamp()', source: 'api' });

const placeTypes = {
  id: 'uuid',
  accountId: 'uuid',
  apiKeyId: 'uuid',
  mode: 'text',
  type: 'text',
} as const;

export const placeInput = new InputRows({
  ...placeTypes,
  recipient: 'text',
  toUserId: 'text',
  reference: 'text',
  waiting: 'bool',
});

/**
 * A failed row in the place of each message that is not stored. An insert of the same id that is
 * still under way somewhere is waited for; one that comes later finds the place taken and fails.
 */
export const precludeMessages = statement({
  name: 'preclude-messages',
  params: { ...placeInput.params, failure: 'jsonb' },
  text: `
  insert into messages (id, account_id, api_key_id, mode, type, recipient, to_user_id, reference, payload,
                        waiting, status, error, next_attempt_at, give_up_at, created_at, failed_at,
                        log)
  select id, account_id, api_key_id, mode, type, recipient, to_user_id, reference, '{}', waiting, 'failed',
         :failure::jsonb, now(), now(), now(), now(), ${failed}
  from ${placeInput.sql}
  order by id
  on conflict (id) do nothing`,
});

export const scheduledPlaceInput = new InputRows({ ...placeTypes, sendAt: 'timestamptz' });

/** The same for messages to send later. The place is free again when their time has come. */
export const precludeScheduledMessages = statement({
  name: 'preclude-scheduled-messages',
  params: scheduledPlaceInput.params,
  text: `
  insert into scheduled_messages (id, account_id, api_key_id, mode, type, payload, send_at, expires_at,
                                  created_at, withdrawn)
  select id, account_id, api_key_id, mode, type, '{}', send_at, send_at + interval '1 hour', now(), true
  from ${scheduledPlaceInput.sql}
  order by id
  on conflict (id) do nothing`,
});

export const findStillScheduled = statement({
  name: 'find-still-scheduled',
  params: { ids: 'uuid[]' },
  columns: { id: 'uuid' },
  text: 'select id from scheduled_messages where id = any (:ids::uuid[]) and not withdrawn',
});

/** A precluded row may be ours from a try whose answer was lost. */
export const findStored = statement({
  name: 'find-stored',
  params: { ids: 'uuid[]', reason: 'text?' },
  columns: { id: 'uuid' },
  text: `
  select id from messages
  where id = any (:ids::uuid[]) and (status <> 'failed' or error->>'reason' is distinct from :reason)`,
});

export const withdrawMessage = statement({
  name: 'withdraw-message',
  params: { id: 'uuid', failure: 'jsonb' },
  text: `
  with withdrawn as (
    update messages m set status = 'failed', failed_at = clock_timestamp(), error = :failure::jsonb,
      log = ${logWith(failed)}
    where id = :id and status = 'queued' and attempt = 0
    returning id
  )
  delete from idempotency_keys where message_id in (select id from withdrawn)`,
});

export const withdrawScheduledMessage = statement({
  name: 'withdraw-scheduled-message',
  params: { id: 'uuid', failure: 'jsonb' },
  columns: concludedColumns,
  text: `
  with ${moveScheduledSql(
    `
    select id, 'failed' as status, :failure::jsonb as error, false as is_replaced
    from scheduled_messages where id = :id and not withdrawn for update`,
    'api',
  )}`,
});

export const deleteKeysOf = statement({
  name: 'delete-keys-of',
  params: { messageIds: 'uuid[]' },
  text: 'delete from idempotency_keys where message_id = any (:messageIds::uuid[])',
});
