import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logging.module.js';
import { queueNames } from './queue-names.js';

/** Message ids that are worth a look now: those whose callers wait, and the others. */
export interface SendsHint {
  readonly waiting: readonly string[];
  readonly background: readonly string[];
}

/** Tells workers where to look. A hint may be lost, repeated or late without harm. */
@Injectable()
export class SendsQueue {
  private isAway = false;

  constructor(
    @InjectQueue(queueNames.sends) private readonly queue: Queue<SendsHint, void, 'send-messages'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.queue.on('error', (error) => this.noteAway(error));
  }

  /** Adds one hint. Never rejects: workers find due rows themselves within seconds. */
  async add(hint: SendsHint): Promise<void> {
    try {
      await this.queue.add('send-messages', hint);
      if (this.isAway) this.logger.info('the queue is back');
      this.isAway = false;
    } catch (error) {
      this.noteAway(error);
    }
  }

  private noteAway(error: unknown): void {
    if (!this.isAway) {
      this.logger.warn({ err: error }, 'the queue is away; workers find rows by themselves');
    }
    this.isAway = true;
  }
}
