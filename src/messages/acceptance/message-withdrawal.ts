import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { minuteMs } from '#libs/durations';
import { GroupCommit } from '../../database/group-commit.js';
import { isStoreUnavailable } from '../../database/store-errors.js';
import { LOGGER } from '../../logging/logging.module.js';
import type { MessageFailure, NewMessage } from '../message.js';
import * as sql from './message-withdrawal.statements.js';

/** Why a withdrawn message failed, and the mark by which its row is known. */
const withdrawn: MessageFailure = {
  code: 'MESSAGE_SEND_FAILED',
  message: 'The request was answered 503; the message was withdrawn.',
  retryable: true,
  platformCode: null,
  platformMessage: null,
  reason: 'withdrawn',
};

const tryEveryMs = 200;

/** How long an error is tolerated that does not say that the store is away. */
const puzzledMaxMs = minuteMs;

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
    const values = { id, failure: JSON.stringify(withdrawn) };
    if (sendAt !== null) {
      const moved = await this.dataSource.transaction(async (manager) => {
        const rows = await sql.withdrawScheduledMessage.rows(manager, values);
        await sql.deleteKeysOf.run(manager, { messageIds: rows.map((row) => row.id) });
        return rows.length;
      });
      if (moved > 0) return;
    }
    await sql.withdrawMessage.run(this.dataSource, values);
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
    await sql.precludeScheduledMessages.run(
      this.dataSource,
      sql.scheduledPlaceInput.valuesOf(rows),
    );
    const ids = rows.map(({ id }) => id);
    const found = await sql.findStillScheduled.rows(this.dataSource, { ids });
    return new Set(found.map(({ id }) => id));
  }

  /** @returns the ids of those that are stored. */
  private async precludeQueued(messages: readonly NewMessage[]): Promise<Set<string>> {
    const rows = messages.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    await sql.precludeMessages.run(this.dataSource, {
      ...sql.placeInput.valuesOf(rows),
      failure: JSON.stringify(withdrawn),
    });
    const ids = rows.map(({ id }) => id);
    const { reason } = withdrawn;
    const found = await sql.findStored.rows(this.dataSource, { ids, reason });
    return new Set(found.map(({ id }) => id));
  }
}
