import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../config/config.js';
import type { ConsentScope } from '../../contacts/consent.js';
import { readConsents } from '../../contacts/contact-consents.js';
import { optOutOf } from '../../contacts/opt-out-of-message.js';
import { lines, plainArray, textArray } from '../../database/array-literals.js';
import { GroupCommit } from '../../database/group-commit.js';
import { HotStatements } from '../../database/hot-statements.js';
import { answeredBy, isDeadlock, isStoreUnavailable } from '../../database/store-errors.js';
import { AppError, unavailable } from '../../errors/app-error.js';
import { DailyLimitError, type DayUsed } from '../../errors/daily-limit.js';
import { SendsQueue } from '../../hints/sends-queue.js';
import { type IdempotencyClaim, type NewMessage, payloadWithId } from '../message.js';
import { MessageWithdrawal } from './message-withdrawal.js';

/** The result of a request to accept a message. */
export interface Acceptance {
  /** The accepted message, or the one that the idempotency key already names. */
  readonly messageId: string;
  /** True when the idempotency key was known: nothing was stored. */
  readonly isReplay: boolean;
  /** The key's day with the unit that the message took; null where none is known. */
  readonly day: DayUsed | null;
}

/** A message that is not a repetition, and whether the day of its key had a unit for it. */
interface UnitRow extends DayUsed {
  readonly id: string;
  readonly is_granted: boolean;
  /** The scope of the recipient's opt-out; such a message is not stored and takes no unit. */
  readonly opted_out: ConsentScope | null;
}

interface StoredGroup {
  readonly isStored: boolean;
  /** The key's day if the message asked for a unit of it; a message that got none is not stored. */
  readonly day: DayUsed | null;
  /** The scope of the recipient's opt-out, because of which it is not stored. */
  readonly optedOut: ConsentScope | null;
  /** Settles when the queue has the hint, or cannot take it. */
  readonly enqueued: Promise<void>;
}

/**
 * One statement: the idempotency keys that are new, the units of the day that their messages need, then
 * the messages that got one. Payloads come as lines of one text: JSON has no line feed within, and as an
 * array of texts each of its quotes would be escaped here and unescaped there.
 */
const acceptStatement = {
  name: 'accept-messages',
  text: `
  with input as (
    select t.*, ${optOutOf('t')} as opted_out from unnest(
      $1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
      string_to_array($8, E'\\n'), $9::boolean[], $10::int[], $11::text[], $12::text[],
      $13::bytea[], $14::uuid[], $16::text[], $17::int[], $18::text[],
      $19::text[], string_to_array($20, E'\\n', ''), $21::timestamptz[], $22::int[]
    ) as t (id, account_id, api_key_id, mode, type, recipient, reference, payload, waiting,
            give_up_ms, route, key, body_digest, resent_from, traceparent, day_limit, to_user_id,
            sent_as, fallback, expires_at, expires_in)
  ), new_keys as (
    insert into idempotency_keys (api_key_id, route, key, body_digest, message_id, expires_at)
    select api_key_id, route, key, body_digest, id, now() + interval '24 hours'
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
  ), stored as (
    insert into messages (id, account_id, api_key_id, mode, type, recipient, reference, payload,
                          waiting, resent_from, origin, next_attempt_at, give_up_at, created_at,
                          traceparent, to_user_id, sent_as, fallback, expires_at)
    select id, account_id, api_key_id, mode, type, recipient, reference, payload::json, waiting,
           resent_from, $15::uuid, now(), least(now() + make_interval(secs => give_up_ms / 1000.0), expiry),
           now(), traceparent, to_user_id, sent_as, fallback::json, expiry
    from input join units on units.message_id = input.id
    cross join lateral (select coalesce(expires_at, now() + make_interval(secs => expires_in)) as expiry) e
    where is_granted
    order by id
  )
  select message_id as id, day, used, is_granted, null as opted_out from units
  union all
  select id, null, null, false, opted_out from input where opted_out is not null`,
};

const optOutSql = `
  select ${optOutOf('m')} as scope
  from (select $1::uuid as account_id, $2::text as mode, $3::text as type, $4::text as recipient,
               $5::text as to_user_id, $6::text as payload) m`;

type Addressed = Pick<
  NewMessage,
  'accountId' | 'mode' | 'type' | 'recipient' | 'toUserId' | 'payload'
>;

const groupMaxSize = 200;

/**
 * Accepts messages: a message is accepted when its row is committed. Concurrent sends share a
 * statement and a job; the job is only a hint, so its loss delays a message and loses none.
 */
@Injectable()
export class MessageAcceptance {
  private readonly group: GroupCommit<NewMessage, StoredGroup>;
  /** Messages whose caller no longer relies on the group: it must neither store nor announce them. */
  private readonly uncertain = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: HotStatements,
    private readonly withdrawal: MessageWithdrawal,
    private readonly queue: SendsQueue,
    private readonly config: Config,
  ) {
    this.group = new GroupCommit({
      commit: (messages) => this.store(messages),
      maxSize: groupMaxSize,
    });
  }

  /**
   * Stores and enqueues one message.
   * @throws AppError IDEMPOTENCY_KEY_REUSED, RECIPIENT_OPTED_OUT, DAILY_LIMIT_EXCEEDED; SERVICE_UNAVAILABLE
   * when the store cannot be reached, with `details.message_id` where our own commit is uncertain.
   */
  async accept(message: NewMessage): Promise<Acceptance> {
    for (;;) {
      const stored = await this.storeSurely(message);
      if (stored?.optedOut) return await this.replayOrRefusal(message, stored.optedOut);
      if (stored) {
        // A waiting caller gets the outcome anyway; one that does not wait is promised that the message is queued.
        if (!message.waiting) await stored.enqueued;
        return { messageId: message.id, isReplay: false, day: stored.day };
      }
      if (!message.idempotency) throw new Error('a message without idempotency key was not stored');
      const known = await this.findReplay(message.apiKeyId, message.idempotency);
      if (known) return { messageId: known, isReplay: true, day: null };
    }
  }

  private async replayOrRefusal(message: NewMessage, scope: ConsentScope): Promise<Acceptance> {
    const { idempotency } = message;
    const known = idempotency && (await this.findReplay(message.apiKeyId, idempotency));
    if (!known) throw await this.optOutRefusal(message, scope);
    return { messageId: known, isReplay: true, day: null };
  }

  /** The refusal of a message whose recipient has opted out; null where none has. */
  async findOptOut(message: Addressed): Promise<AppError | null> {
    const { accountId, mode, type, recipient, toUserId, payload } = message;
    const [row]: { scope: ConsentScope | null }[] = await this.dataSource.query(optOutSql, [
      accountId,
      mode,
      type,
      recipient,
      toUserId,
      JSON.stringify(payload),
    ]);
    return row?.scope ? this.optOutRefusal(message, row.scope) : null;
  }

  private async optOutRefusal(message: Addressed, scope: ConsentScope): Promise<AppError> {
    const ids = { phone: message.recipient, userId: message.toUserId };
    const { since, source } = (await readConsents(this.dataSource, message, ids)).now[scope];
    return new AppError('RECIPIENT_OPTED_OUT', { details: { scope, since, source } });
  }

  /** Null: the idempotency key is taken. */
  private async storeSurely(message: NewMessage): Promise<StoredGroup | null> {
    const patienceEndsAt = performance.now() + this.config.storePatienceMs;
    const storing = this.group.enqueue(message);
    try {
      const stored = await answeredBy(patienceEndsAt, storing);
      if (stored.isStored || stored.optedOut) return stored;
      if (stored.day) throw new DailyLimitError(stored.day, message.dailyLimit, Date.now());
      return null;
    } catch (error) {
      if (!isStoreUnavailable(error) && !isDeadlock(error)) throw error;
      this.uncertain.add(message.id);
      const forget = () => this.uncertain.delete(message.id);
      storing.then(forget, forget);
      return this.resolveUncertainCommit(message, error);
    }
  }

  /**
   * The result of our commit is unknown. Finds the row, or makes sure that it never comes to exist. While
   * the store is away, neither is possible; the row is then withdrawn as soon as the store is back,
   * before any worker claims it.
   */
  private async resolveUncertainCommit(message: NewMessage, cause: unknown): Promise<StoredGroup> {
    const isStored = await this.isStored(message, performance.now() + this.config.storePatienceMs);
    if (isStored) {
      return { isStored: true, day: null, optedOut: null, enqueued: this.enqueue([message]) };
    }
    if (isStored === null) void this.withdrawal.withdraw(message);
    throw unavailable(
      'store_unavailable',
      isStored === null
        ? 'The database is away, and the message may have been stored. Read it by ' +
            'its id before you repeat the request, or repeat it with the same Idempotency-Key.'
        : 'The database was away; nothing was sent.',
      { details: { message_id: message.id }, cause },
    );
  }

  /** Null: the store stays away. */
  private async isStored(message: NewMessage, giveUpAt: number): Promise<boolean | null> {
    while (performance.now() < giveUpAt) {
      try {
        return await answeredBy(giveUpAt, this.withdrawal.preclude(message));
      } catch {
        // The commit is still uncertain, whatever the error; the withdrawal returns what it finds.
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
    return null;
  }

  private async store(messages: readonly NewMessage[]): Promise<StoredGroup[]> {
    const isWanted = ({ id }: NewMessage) => !this.uncertain.has(id);
    const rows = messages.filter(isWanted).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const column = <T>(pick: (message: NewMessage) => T): T[] => rows.map(pick);
    const claim = <T>(pick: (idempotency: IdempotencyClaim) => T): (T | null)[] =>
      rows.map(({ idempotency }) => (idempotency ? pick(idempotency) : null));
    const units = await this.statements.run<UnitRow>(acceptStatement, [
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
      this.config.processId,
      textArray(column((message) => message.traceparent)),
      plainArray(column((message) => message.dailyLimit)),
      plainArray(column((message) => message.toUserId)),
      plainArray(column((message) => message.sentAs ?? null)),
      lines(column(({ fallback }) => (fallback ? JSON.stringify(fallback) : null))),
      textArray(column(({ expires }) => (expires && 'at' in expires ? expires.at : null))),
      plainArray(
        column(({ expires }) => (expires && 'inSeconds' in expires ? expires.inSeconds : null)),
      ),
    ]);
    const unitOf = new Map(units.map((unit) => [unit.id, unit]));
    const isStored = ({ id }: NewMessage) => unitOf.get(id)?.is_granted === true;
    const enqueued = this.enqueue(rows.filter((message) => isStored(message) && isWanted(message)));
    return messages.map((message) => {
      const unit = unitOf.get(message.id) ?? null;
      const optedOut = unit?.opted_out ?? null;
      return { isStored: isStored(message), day: optedOut ? null : unit, optedOut, enqueued };
    });
  }

  /** Never rejects: a queue that is away costs the message a second, see the claim of due rows. */
  private async enqueue(messages: readonly NewMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const ids = (waiting: boolean) =>
      messages.filter((message) => message.waiting === waiting).map((message) => message.id);
    await this.queue.addHint({ waiting: ids(true), background: ids(false) });
  }

  /**
   * The message that an idempotency key names, or null when the key is free.
   * @throws AppError IDEMPOTENCY_KEY_REUSED
   */
  async findReplay(apiKeyId: string, idempotency: IdempotencyClaim): Promise<string | null> {
    const [known]: { body_digest: Buffer; message_id: string }[] = await this.dataSource.query(
      `with expired as (
         delete from idempotency_keys
         where api_key_id = $1 and route = $2 and key = $3 and expires_at <= now()
         returning message_id
       )
       select body_digest, message_id from idempotency_keys
       where api_key_id = $1 and route = $2 and key = $3
         and message_id not in (select message_id from expired)`,
      [apiKeyId, idempotency.route, idempotency.key],
    );
    if (!known) return null;
    if (!known.body_digest.equals(idempotency.bodyDigest)) {
      throw new AppError('IDEMPOTENCY_KEY_REUSED', { details: { message_id: known.message_id } });
    }
    return known.message_id;
  }
}
