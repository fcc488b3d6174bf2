import type { ConsentScope } from '../../contacts/consent.js';
import { optOutOf } from '../../contacts/opt-out-of-message.js';
import { InputRows } from '../../database/statements/input-rows.js';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';

const inputTypes = {
  id: 'uuid',
  accountId: 'uuid',
  apiKeyId: 'uuid',
  mode: 'text',
  type: 'text',
  recipient: 'text',
  reference: 'text',
  payload: 'line',
  waiting: 'bool',
  giveUpMs: 'int4',
  route: 'text',
  key: 'text',
  bodyDigest: 'bytea',
  resentFrom: 'uuid',
  traceparent: 'text',
  dayLimit: 'int4',
  toUserId: 'text',
  sentAs: 'text',
  fallback: 'line',
  expiresAt: 'timestamptz',
  expiresIn: 'int4',
} as const;

export const messageInput = new InputRows(inputTypes);
export const callbackInput = new InputRows({ ...inputTypes, callbackData: 'text' });
export const scheduledInput = new InputRows({
  ...inputTypes,
  sendAt: 'timestamptz',
  needsMapping: 'bool',
  needsWindow: 'bool',
  mediaUntil: 'timestamptz',
});

/** A row for each message that is not a repetition: whether the day of its key had a unit for it. */
const unitColumns = {
  id: 'uuid',
  day: as<number>('int4'),
  used: as<number>('int4'),
  is_granted: 'bool',
  /** The scope of the recipient's opt-out; such a message is not stored and takes no unit. */
  opted_out: as<ConsentScope | null>('text'),
} as const;

/**
 * One statement: the idempotency keys that are new, the units of the day that their messages need, then
 * the messages that got one.
 */
const acceptSql = (of: {
  /** A row for each message, in the order of their ids. */
  input: { readonly sql: string };
  keysUntil: string;
  store: string;
}) => `
  with input as (
    select t.*, ${optOutOf('t')} as opted_out from ${of.input.sql}
  ), new_keys as (
    insert into idempotency_keys (api_key_id, route, key, body_digest, message_id, expires_at)
    select api_key_id, route, key, body_digest, id, ${of.keysUntil}
    from input where key is not null and opted_out is null
    order by api_key_id, route, key
    on conflict do nothing
    returning message_id
  ), asked as (
    select api_key_id, min(day_limit) as day_limit, array_agg(id order by id) as ids,
           array_agg(route order by id) as routes, array_agg(key order by id) as keys
    from input
    where opted_out is null and (key is null or id in (select message_id from new_keys))
    group by api_key_id order by api_key_id
  ), units as materialized (
    select unit.* from asked, take_day_of_messages(api_key_id, day_limit, ids, routes, keys) as unit
  ), stored as (${of.store})
  select message_id as id, day, used, is_granted, null as opted_out from units
  union all
  select id, null, null, false, opted_out from input where opted_out is not null`;

/** @param also further columns of the messages. */
const acceptNowSql = (input: { readonly sql: string }, also = '') =>
  acceptSql({
    input,
    keysUntil: `now() + interval '24 hours'`,
    store: `
    insert into messages (id, account_id, api_key_id, mode, type, recipient, reference, payload,
                          waiting, resent_from, origin, next_attempt_at, give_up_at, created_at,
                          traceparent, to_user_id, sent_as, fallback, expires_at${also})
    select id, account_id, api_key_id, mode, type, recipient, reference, payload::json, waiting,
           resent_from, :processId::uuid, now(), least(now() + make_interval(secs => give_up_ms / 1000.0), expiry),
           now(), traceparent, to_user_id, sent_as, fallback::json, expiry${also}
    from input join units on units.message_id = input.id
    cross join lateral (select coalesce(expires_at, now() + make_interval(secs => expires_in)) as expiry) e
    where is_granted
    order by id`,
  });

/** Messages to send at once. */
export const acceptMessages = statement({
  name: 'accept-messages',
  params: { ...messageInput.params, processId: 'uuid' },
  columns: unitColumns,
  text: acceptNowSql(messageInput),
});

/** The same for messages of which some have callback data, which few have. */
export const acceptMessagesWithCallbacks = statement({
  name: 'accept-messages-with-callbacks',
  params: { ...callbackInput.params, processId: 'uuid' },
  columns: unitColumns,
  text: acceptNowSql(callbackInput, ', callback_data'),
});

/** How long after its time a message may be sent if the caller does not say. */
const scheduledExpiresSeconds = 3_600;

/** Messages to send later. Their idempotency keys have no end before the messages have one. */
export const acceptScheduledMessages = statement({
  name: 'accept-scheduled-messages',
  params: scheduledInput.params,
  columns: unitColumns,
  text: acceptSql({
    input: scheduledInput,
    keysUntil: `'infinity'::timestamptz`,
    store: `
    insert into scheduled_messages (id, account_id, api_key_id, mode, type, recipient, to_user_id, reference,
                                    payload, sent_as, fallback, traceparent, send_at, expires_at,
                                    expires_in, needs_mapping, needs_window, media_until, route, key,
                                    created_at)
    select id, account_id, api_key_id, mode, type, recipient, to_user_id, reference, payload::json, sent_as,
           fallback::json, traceparent, send_at, coalesce(expires_at, send_at + make_interval(secs => seconds)),
           case when expires_at is null then seconds end, needs_mapping, needs_window, media_until,
           route, key, now()
    from input join units on units.message_id = input.id
    cross join lateral (select coalesce(expires_in, ${scheduledExpiresSeconds}) as seconds) e
    where is_granted
    order by id`,
  }),
});
