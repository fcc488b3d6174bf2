import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { GroupCommit } from '../../database/group-commit.js';
import { isStoreUnavailable } from '../../database/store-errors.js';
import { LOGGER } from '../../logging/logging.module.js';
import type { MessageFailure, NewMessage } from '../message.js';
import { logWith, statusEntries } from '../rows/message-history.js';
import { moveScheduledSql } from '../rows/scheduled-rows.statements.js';

/** Why a withdrawn message failed, and the mark by which its row is known. */
const withdrawn: MessageFailure = {
  code: 'MESSAGE_SEND_FAILED',
  message: 'The request was answered 503; the message was withdrawn.',
  retryable: true,
  platformCode: null,
  platformMessage: null,
  reason: 'withdrawn',
};

const failed = statusEntries({ status: `'failed'`, at: 'clock_timestamp()', source: 'api' });

/**
 * A failed row in the place of each message that is not stored. An insert of the same id that is
 * still under way somewhere is waited for; one that comes later finds the place taken and fails.
 */
const precludeSql = `
  insert into messages (id, account_id, api_key_id, mode, type, recipient, to_user_id, reference, payload,
                        waiting, status, error, next_attempt_at, give_up_at, created_at, failed_at,
                        log)
  select id, account_id, api_key_id, mode, type, recipient, to_user_id, reference, '{}', waiting, 'failed',
         $9::jsonb, now(), now(), now(), now(), ${failed}
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
              $8::boolean[], $10::text[])
    as t (id, account_id, api_key_id, mode, type, recipient, reference, waiting, to_user_id)
  order by id
  on conflict (id) do nothing`;

/** The same for messages to send later. The place is free again when their time has come. */
const precludeScheduledSql = `
  insert into scheduled_messages (id, account_id, api_key_id, mode, type, payload, send_at, expires_at,
                                  created_at, withdrawn)
  select id, account_id, api_key_id, mode, type, '{}', send_at, send_at + interval '1 hour', now(), true
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[])
    as t (id, account_id, api_key_id, mode, type, send_at)
  order by id
  on conflict (id) do nothing`;

const readScheduledSql = `select id from scheduled_messages where id = any ($1::uuid[]) and not withdrawn`;

/** A precluded row may be ours from a try whose answer was lost. */
const readStoredSql = `
  select id from messages
  where id = any ($1::uuid[]) and (status <> 'failed' or error->>'reason' is distinct from $2)`;

const withdrawSql = `
  with withdrawn as (
    update messages m set status = 'failed', failed_at = clock_timestamp(), error = $2::jsonb,
      log = ${logWith(failed)}
    where id = $1 and status = 'queued' and attempt = 0
    returning id
  )
  delete from idempotency_keys where message_id in (select id from withdrawn)`;

const withdrawScheduledSql = `
  with ${moveScheduledSql(
    `
    select id, 'failed' as status, $2::jsonb as error, false as is_replaced
    from scheduled_messages where id = $1 and not withdrawn for update`,
    'api',
  )}`;

const deleteKeySql = 'delete from idempotency_keys where message_id = any ($1::uuid[])';

const tryEveryMs = 200;

/** How long an error is tolerated that does not say that the store is away. */
const puzzledMaxMs = 60_000;

/**
 * Settles whether messages with an uncertain acceptance exist. A missing row proves nothing: the server
 * may not know yet that the connection is gone, and commit long after the caller was refused.
 */
@Injectable()
export class MessageWithdrawal {
  private readonly group: GroupCommit<NewMessage, boolean>;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.group = new GroupCommit({ commit: (messages) => this.write(messages), maxSize: 200 });
  }

  /**
   * Decides whether a message is stored: either it is, or from now on it never will be.
   * @returns whether it is stored.
   */
  preclude(message: NewMessage): Promise<boolean> {
    return this.group.enqueue(message);
  }

  /** Withdraws a message whose caller got 503, unless a worker has claimed it. Never rejects. */
  async withdraw(message: NewMessage): Promise<void> {
    let puzzledSince: number | null = null;
    for (;;) {
      try {
        if (await this.preclude(message)) await this.withdrawStored(message);
        return;
      } catch (error) {
        if (!isStoreUnavailable(error)) {
          const isNew = puzzledSince === null;
          puzzledSince ??= performance.now();
          const isOver = performance.now() - puzzledSince > puzzledMaxMs;
          const about = { err: error, message_id: message.id, tries_end: isOver };
          if (isNew || isOver) this.logger.error(about, 'could not withdraw a message');
          if (isOver) return;
        }
        await new Promise((resolve) => setTimeout(resolve, tryEveryMs).unref());
      }
    }
  }

  private async withdrawStored({ id, sendAt }: NewMessage): Promise<void> {
    const values = [id, JSON.stringify(withdrawn)];
    if (sendAt !== null) {
      const moved = await this.dataSource.transaction(async (manager) => {
        const rows: { id: string }[] = await manager.query(withdrawScheduledSql, values);
        await manager.query(deleteKeySql, [rows.map((row) => row.id)]);
        return rows.length;
      });
      if (moved > 0) return;
    }
    await this.dataSource.query(withdrawSql, values);
  }

  private async write(messages: readonly NewMessage[]): Promise<boolean[]> {
    const later = messages.filter(({ sendAt }) => sendAt !== null);
    const scheduled = later.length > 0 ? await this.precludeScheduled(later) : null;
    const others = messages.filter(({ id }) => !scheduled?.has(id));
    const stored = others.length > 0 ? await this.precludeQueued(others) : null;
    return messages.map(({ id }) => scheduled?.has(id) || stored?.has(id) || false);
  }

  /** @returns the ids of those that are stored and still scheduled. */
  private async precludeScheduled(messages: readonly NewMessage[]): Promise<Set<string>> {
    const rows = messages.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const column = <T>(pick: (message: NewMessage) => T): T[] => rows.map(pick);
    const ids = column((message) => message.id);
    await this.dataSource.query(precludeScheduledSql, [
      ids,
      column((message) => message.accountId),
      column((message) => message.apiKeyId),
      column((message) => message.mode),
      column((message) => message.type),
      column((message) => message.sendAt),
    ]);
    const found: { id: string }[] = await this.dataSource.query(readScheduledSql, [ids]);
    return new Set(found.map(({ id }) => id));
  }

  /** @returns the ids of those that are stored. */
  private async precludeQueued(messages: readonly NewMessage[]): Promise<Set<string>> {
    const rows = messages.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const column = <T>(pick: (message: NewMessage) => T): T[] => rows.map(pick);
    const ids = column((message) => message.id);
    await this.dataSource.query(precludeSql, [
      ids,
      column((message) => message.accountId),
      column((message) => message.apiKeyId),
      column((message) => message.mode),
      column((message) => message.type),
      column((message) => message.recipient),
      column((message) => message.reference),
      column((message) => message.waiting),
      JSON.stringify(withdrawn),
      column((message) => message.toUserId),
    ]);
    const found: { id: string }[] = await this.dataSource.query(readStoredSql, [
      ids,
      withdrawn.reason,
    ]);
    return new Set(found.map(({ id }) => id));
  }
}
