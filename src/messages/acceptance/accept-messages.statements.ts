import type { ConsentScope } from '../../contacts/consent.js';
import { optOutOf } from '../../contacts/opt-out-of-message.js';
import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';

/** A value for each message, in the order of their ids. */
const inputParams = {
  ids: 'uuid[]',
  accountIds: 'uuid[]',
  apiKeyIds: 'uuid[]',
  modes: 'text[]',
  types: 'text[]',
  recipients: 'text[]',
  references: 'text[]',
  payloads: 'text',
  waiting: 'bool[]',
  giveUpMs: 'int4[]',
  routes: 'text[]',
  keys: 'text[]',
  bodyDigests: 'bytea[]',
  resentFrom: 'uuid[]',
  traceparents: 'text[]',
  dayLimits: 'int4[]',
  toUserIds: 'text[]',
  sentAs: 'text[]',
  fallbacks: 'text',
  expiresAt: 'timestamptz[]',
  expiresIn: 'int4[]',
} as const;

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
 * the messages that got one. Payloads come as lines of one text: JSON has no line feed within, and as an
 * array of texts each of its quotes would be escaped here and unescaped there.
 */
const acceptSql = (of: {
  /** More columns of `input`: name → parameter. */
  more?: Readonly<Record<string, string>>;
  keysUntil: string;
  store: string;
}) => `
  with input as (
    select t.*, ${optOutOf('t')} as opted_out from unnest(
      ${[
        `:ids::uuid[], :accountIds::uuid[], :apiKeyIds::uuid[], :modes::text[], :types::text[], :recipients::text[], :references::text[],
      string_to_array(:payloads, E'\\n'), :waiting::boolean[], :giveUpMs::int[], :routes::text[], :keys::text[],
      :bodyDigests::bytea[], :resentFrom::uuid[], :traceparents::text[], :dayLimits::int[], :toUserIds::text[],
      :sentAs::text[], string_to_array(:fallbacks, E'\\n', ''), :expiresAt::timestamptz[], :expiresIn::int[]`,
        ...Object.values(of.more ?? {}),
      ].join(', ')}
    ) as t (${[
      `id, account_id, api_key_id, mode, type, recipient, reference, payload, waiting,
            give_up_ms, route, key, body_digest, resent_from, traceparent, day_limit, to_user_id,
            sent_as, fallback, expires_at, expires_in`,
      ...Object.keys(of.more ?? {}),
    ].join(', ')})
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

/** @param more further columns of the messages, with their parameters. */
const acceptNowSql = (more: Readonly<Record<string, string>> = {}) => {
  const names = ['', ...Object.keys(more)].join(', ');
  return acceptSql({
    more,
    keysUntil: `now() + interval '24 hours'`,
    store: `
    insert into messages (id, account_id, api_key_id, mode, type, recipient, reference, payload,
                          waiting, resent_from, origin, next_attempt_at, give_up_at, created_at,
                          traceparent, to_user_id, sent_as, fallback, expires_at${names})
    select id, account_id, api_key_id, mode, type, recipient, reference, payload::json, waiting,
           resent_from, :processId::uuid, now(), least(now() + make_interval(secs => give_up_ms / 1000.0), expiry),
           now(), traceparent, to_user_id, sent_as, fallback::json, expiry${names}
    from input join units on units.message_id = input.id
    cross join lateral (select coalesce(expires_at, now() + make_interval(secs => expires_in)) as expiry) e
    where is_granted
    order by id`,
  });
};

/** Messages to send at once. */
export const acceptMessages = statement({
  name: 'accept-messages',
  params: { ...inputParams, processId: 'uuid' },
  columns: unitColumns,
  text: acceptNowSql(),
});

/** The same for messages of which some have callback data, which few have. */
export const acceptMessagesWithCallbacks = statement({
  name: 'accept-messages-with-callbacks',
  params: { ...inputParams, processId: 'uuid', callbackData: 'text[]' },
  columns: unitColumns,
  text: acceptNowSql({ callback_data: ':callbackData::text[]' }),
});

/** How long after its time a message may be sent if the caller does not say. */
const scheduledExpiresSeconds = 3_600;

/** Messages to send later. Their idempotency keys have no end before the messages have one. */
export const acceptScheduledMessages = statement({
  name: 'accept-scheduled-messages',
  params: {
    ...inputParams,
    sendAt: 'timestamptz[]',
    needsMapping: 'bool[]',
    needsWindow: 'bool[]',
    mediaUntil: 'timestamptz[]',
  },
  columns: unitColumns,
  text: acceptSql({
    more: {
      send_at: ':sendAt::timestamptz[]',
      needs_mapping: ':needsMapping::boolean[]',
      needs_window: ':needsWindow::boolean[]',
      media_until: ':mediaUntil::timestamptz[]',
    },
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
