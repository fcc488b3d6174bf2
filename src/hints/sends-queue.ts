import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logging.module.js';
import { HintQueue } from './hint-queue.js';
import { queueNames } from './queue-names.js';

/** Message ids that are worth a look now: those whose callers wait, and the others. */
export interface SendsHint {
  readonly waiting: readonly string[];
  readonly background: readonly string[];
}

/** Notifies workers of messages to send. */
@Injectable()
export class SendsQueue extends HintQueue<SendsHint> {
  constructor(@InjectQueue(queueNames.sends) queue: Queue, @Inject(LOGGER) logger: Logger) {
    super(queue, 'send-messages', logger);
  }
}
