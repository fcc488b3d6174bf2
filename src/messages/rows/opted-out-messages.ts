import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { LOGGER } from '../../logging/logging.module.js';
import type { MessageFailure } from '../message.js';
import { type ConcludedMessage, MessageConclusions } from './message-conclusions.js';
import * as sql from './opted-out-messages.statements.js';

const optedOut: MessageFailure = {
  code: 'MESSAGE_SEND_FAILED',
  message: 'The recipient has opted out of such messages. It was not sent.',
  retryable: false,
  platformCode: null,
  platformMessage: null,
  reason: 'opted_out',
};

/** Fails queued and scheduled messages whose recipient does not want them. */
@Injectable()
export class OptedOutMessages {
  constructor(
    private readonly dataSource: DataSource,
    private readonly conclusions: MessageConclusions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Fails what is queued or scheduled for contacts, in the transaction that records their opt-out.
   * @returns what to publish after the commit.
   */
  async failFor(
    manager: EntityManager,
    contactIds: readonly string[],
  ): Promise<ConcludedMessage[]> {
    // What is scheduled first: a message that is released meanwhile is queued when the second one looks.
    const failure = JSON.stringify(optedOut);
    const scheduled = await sql.failScheduledTo.rows(manager, { contactIds, failure });
    const queued = await sql.findQueuedTo.rows(manager, { contactIds });
    const failed = await this.fail(
      manager,
      queued.map(({ id }) => id),
    );
    return [...scheduled, ...failed];
  }

  /** Fails messages that a claim left for this reason. Never rejects: the next claim finds what is left. */
  async failLeft(ids: readonly string[]): Promise<void> {
    try {
      const failed = await this.fail(this.dataSource.manager, ids);
      for (const message of failed) this.conclusions.publish(message);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not fail messages to recipients who have opted out');
    }
  }

  private async fail(manager: EntityManager, ids: readonly string[]): Promise<ConcludedMessage[]> {
    if (ids.length === 0) return [];
    const failure = JSON.stringify(optedOut);
    return sql.failOptedOut.rows(manager, { ids: ids.toSorted(), failure });
  }
}
