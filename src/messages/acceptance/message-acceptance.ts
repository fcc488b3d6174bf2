import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { takeProbe } from '../../accounts/number-hold.js';
import { Config } from '../../config/config.js';
import type { ConsentScope } from '../../contacts/consent.js';
import type { ContactIds } from '../../contacts/contact.js';
import { readConsents } from '../../contacts/contact-consents.js';
import { GroupCommit } from '../../database/group-commit.js';
import { HotStatements } from '../../database/hot-statements.js';
import {
  answeredBy,
  isDeadlock,
  isNeverAsked,
  isStoreUnavailable,
} from '../../database/store-errors.js';
import { AppError, unavailable } from '../../errors/app-error.js';
import { DailyLimitError, type DayUsed } from '../../errors/daily-limit.js';
import { SendsQueue } from '../../hints/sends-queue.js';
import type { NewMessage } from '../message.js';
import { acceptLater, acceptNow } from './accept-messages.js';
import * as sql from './message-acceptance.statements.js';
import { MessageWithdrawal } from './message-withdrawal.js';
import { RepeatedMessages } from './repeated-messages.js';

/** The result of a request to accept a message. */
export interface Acceptance {
  /** The accepted message, or the one that the idempotency key already names. */
  readonly messageId: string;
  /** True when the idempotency key was known: nothing was stored. */
  readonly isReplay: boolean;
  /** The key's day with the unit that the message took; null where none is known. */
  readonly day: DayUsed | null;
}

/** Whether the message was stored is not known: the store went away before it answered. */
export class UnknownAcceptanceError extends AppError {
  constructor(
    readonly messageId: string,
    cause: unknown,
  ) {
    super('SERVICE_UNAVAILABLE', {
      message:
        'The database is away, and the message may have been stored. Read it by ' +
        'its id before you repeat the request, or repeat it with the same Idempotency-Key.',
      details: { reason: 'store_unavailable', message_id: messageId },
      retryAfterSeconds: 2,
      cause,
    });
  }
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

type Addressed = Pick<
  NewMessage,
  'accountId' | 'mode' | 'type' | 'recipient' | 'toUserId' | 'payload'
>;

type Accept = (messages: readonly NewMessage[]) => ReturnType<typeof acceptNow>;

const groupMaxSize = 200;

/**
 * Accepts messages: a message is accepted when its row is committed. Concurrent sends share a
 * statement and a job; the job is only a hint, so its loss delays a message and loses none.
 */
@Injectable()
export class MessageAcceptance {
  private readonly group: GroupCommit<NewMessage, StoredGroup>;
  private readonly scheduled: GroupCommit<NewMessage, StoredGroup>;
  /** Messages whose caller no longer relies on the group: it must neither store nor announce them. */
  private readonly uncertain = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    statements: HotStatements,
    private readonly repeated: RepeatedMessages,
    private readonly withdrawal: MessageWithdrawal,
    private readonly queue: SendsQueue,
    private readonly config: Config,
  ) {
    const groupOf = (accept: Accept) =>
      new GroupCommit<NewMessage, StoredGroup>({
        commit: (messages) => this.store(accept, messages),
        maxSize: groupMaxSize,
      });
    this.group = groupOf((messages) => acceptNow(statements, messages, config.processId));
    this.scheduled = groupOf((messages) => acceptLater(statements, messages));
  }

  /** Whether the paused number waits for one message to try it with: the caller's next one, and no other, is that. */
  takeProbe(accountId: string): Promise<boolean> {
    return takeProbe(this.dataSource.manager, accountId);
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
      const known = await this.repeated.find(message.apiKeyId, message.idempotency);
      if (known) return { messageId: known, isReplay: true, day: null };
    }
  }

  private async replayOrRefusal(message: NewMessage, scope: ConsentScope): Promise<Acceptance> {
    const { idempotency } = message;
    const known = idempotency && (await this.repeated.find(message.apiKeyId, idempotency));
    if (!known) throw await this.optOutRefusal(message, scope);
    return { messageId: known, isReplay: true, day: null };
  }

  /** The refusal of a message whose recipient has opted out; null where none has. */
  async findOptOut(message: Addressed): Promise<AppError | null> {
    const { accountId, mode, type, recipient, toUserId, payload } = message;
    const row = await sql.findOptOutOf.row(this.dataSource, {
      accountId,
      mode,
      type,
      recipient,
      toUserId,
      payload: JSON.stringify(payload),
    });
    return row?.scope ? this.optOutRefusal(message, row.scope) : null;
  }

  private async optOutRefusal(message: Addressed, scope: ConsentScope): Promise<AppError> {
    // The number and the user id may belong to two contacts, and either may have opted out.
    const byNumber = { phone: message.recipient, userId: null };
    const byUserId = { phone: null, userId: message.toUserId };
    const read = async (ids: ContactIds) =>
      (await readConsents(this.dataSource, message, ids)).now[scope];
    const ofNumber = await read(byNumber);
    const { since, source } = ofNumber.state === 'opted_out' ? ofNumber : await read(byUserId);
    return new AppError('RECIPIENT_OPTED_OUT', { details: { scope, since, source } });
  }

  /** Null: the idempotency key is taken. */
  private async storeSurely(message: NewMessage): Promise<StoredGroup | null> {
    const patienceEndsAt = performance.now() + this.config.storePatienceMs;
    const group = message.sendAt === null ? this.group : this.scheduled;
    const storing = group.enqueue(message);
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
    if (isStored === null && !isNeverAsked(cause)) {
      void this.withdrawal.withdraw(message);
      throw new UnknownAcceptanceError(message.id, cause);
    }
    throw unavailable('store_unavailable', 'The database was away; nothing was sent.', {
      details: { message_id: message.id },
      cause,
    });
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

  private async store(accept: Accept, messages: readonly NewMessage[]): Promise<StoredGroup[]> {
    const isWanted = ({ id }: NewMessage) => !this.uncertain.has(id);
    const rows = messages.filter(isWanted).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const units = await accept(rows);
    const unitOf = new Map(units.map((unit) => [unit.id, unit]));
    const isStored = ({ id }: NewMessage) => unitOf.get(id)?.is_granted === true;
    const enqueued = this.enqueue(rows.filter((message) => isStored(message) && isWanted(message)));
    return messages.map((message) => {
      const unit = unitOf.get(message.id) ?? null;
      const optedOut = unit?.opted_out ?? null;
      return { isStored: isStored(message), day: optedOut ? null : unit, optedOut, enqueued };
    });
  }

  /**
   * Leaves out scheduled messages. Never rejects: if the queue is away, a worker finds the message a second later, see
   * the claim of due rows.
   */
  private async enqueue(messages: readonly NewMessage[]): Promise<void> {
    const now = messages.filter(({ sendAt }) => sendAt === null);
    if (now.length === 0) return;
    const ids = (waiting: boolean) =>
      now.filter((message) => message.waiting === waiting).map((message) => message.id);
    await this.queue.addHint({ waiting: ids(true), background: ids(false) });
  }
}
