import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logging.module.js';
import { HintQueue } from './hint-queue.js';
import { queueNames } from './queue-names.js';

/** Ids of notifications that were stored just now. */
export interface NotificationsHint {
  readonly ids: readonly string[];
}

/** Notifies workers of platform notifications to process. */
@Injectable()
export class NotificationsQueue extends HintQueue<NotificationsHint> {
  constructor(@InjectQueue(queueNames.notifications) queue: Queue, @Inject(LOGGER) logger: Logger) {
    super(queue, 'process-notifications', logger);
  }
}
