import type { ConsentScope } from '../../contacts/consent.js';
import { optOutOf } from '../../contacts/opt-out-of-message.js';
import { lines, plainArray, textArray } from '../../database/array-literals.js';
import type { HotStatement } from '../../database/hot-statements.js';
import type { DayUsed } from '../../errors/daily-limit.js';
import { type IdempotencyClaim, type NewMessage, payloadWithId } from '../message.js';

/** A message that is not a repetition, and whether the day of its key had a unit for it. */
export interface UnitRow extends DayUsed {
  readonly id: string;
  readonly is_granted: boolean;
  /** The scope of the recipient's opt-out; such a message is not stored and takes no unit. */
  readonly opted_out: ConsentScope | null;
}

/** A statement that accepts messages, and what it is given for a group of them. It answers a `UnitRow` for each. */
export interface AcceptStatement extends HotStatement {
  readonly valuesOf: (messages: readonly NewMessage[], processId: string) => unknown[];
}

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
        `$1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
      string_to_array($8, E'\\n'), $9::boolean[], $10::int[], $11::text[], $12::text[],
      $13::bytea[], $14::uuid[], $15::text[], $16::int[], $17::text[],
      $18::text[], string_to_array($19, E'\\n', ''), $20::timestamptz[], $21::int[]`,
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

const columnOf =
  (messages: readonly NewMessage[]) =>
  <T>(pick: (message: NewMessage) => T): T[] =>
    messages.map(pick);

function inputValues(messages: readonly NewMessage[]): unknown[] {
  const column = columnOf(messages);
  const claim = <T>(pick: (idempotency: IdempotencyClaim) => T): (T | null)[] =>
    messages.map(({ idempotency }) => (idempotency ? pick(idempotency) : null));
  return [
    plainArray(column((message) => message.id)),
    plainArray(column((message) => message.accountId)),
    plainArray(column((message) => message.apiKeyId)),
    plainArray(column((message) => message.mode)),
    plainArray(column((message) => message.type)),
    textArray(column((message) => message.recipient)),
    textArray(column((message) => message.reference)),
    lines(column((message) => JSON.stringify(payloadWithId(message.payload, message.id)))),
    plainArray(column((message) => message.waiting)),
    plainArray(column((message) => message.giveUpAfterMs)),
    textArray(claim((idempotency) => idempotency.route)),
    textArray(claim((idempotency) => idempotency.key)),
    textArray(claim((idempotency) => `\\x${idempotency.bodyDigest.toString('hex')}`)),
    plainArray(column((message) => message.resentFrom ?? null)),
    textArray(column((message) => message.traceparent)),
    plainArray(column((message) => message.dailyLimit)),
    plainArray(column((message) => message.toUserId)),
    plainArray(column((message) => message.sentAs ?? null)),
    lines(column(({ fallback }) => (fallback ? JSON.stringify(fallback) : null))),
    textArray(column(({ expires }) => (expires && 'at' in expires ? expires.at : null))),
    plainArray(
      column(({ expires }) => (expires && 'inSeconds' in expires ? expires.inSeconds : null)),
    ),
  ];
}

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
           resent_from, $22::uuid, now(), least(now() + make_interval(secs => give_up_ms / 1000.0), expiry),
           now(), traceparent, to_user_id, sent_as, fallback::json, expiry${names}
    from input join units on units.message_id = input.id
    cross join lateral (select coalesce(expires_at, now() + make_interval(secs => expires_in)) as expiry) e
    where is_granted
    order by id`,
  });
};

/** Messages to send at once. */
export const acceptStatement: AcceptStatement = {
  name: 'accept-messages',
  text: acceptNowSql(),
  valuesOf: (messages, processId) => [...inputValues(messages), processId],
};

/** The same for messages of which some have callback data, which few have. */
export const acceptWithCallbacksStatement: AcceptStatement = {
  name: 'accept-messages-with-callbacks',
  text: acceptNowSql({ callback_data: '$23::text[]' }),
  valuesOf: (messages, processId) => [
    ...inputValues(messages),
    processId,
    textArray(messages.map(({ callbackData }) => callbackData ?? null)),
  ],
};

/** How long after its time a message may be sent if the caller does not say. */
const scheduledExpiresSeconds = 3_600;

/** Messages to send later. Their idempotency keys have no end before the messages have one. */
export const acceptScheduledStatement: AcceptStatement = {
  name: 'accept-scheduled-messages',
  text: acceptSql({
    more: {
      send_at: '$22::timestamptz[]',
      needs_mapping: '$23::boolean[]',
      needs_window: '$24::boolean[]',
      media_until: '$25::timestamptz[]',
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
  valuesOf: (messages) => {
    const column = columnOf(messages);
    return [
      ...inputValues(messages),
      textArray(column(({ sendAt }) => sendAt)),
      plainArray(column(({ needs }) => needs?.mapping ?? false)),
      plainArray(column(({ needs }) => needs?.window ?? false)),
      textArray(column(({ needs }) => needs?.mediaUntil?.toISOString() ?? null)),
    ];
  },
};
