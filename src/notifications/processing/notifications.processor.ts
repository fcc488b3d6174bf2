import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import type { Logger } from 'pino';
import { HintProcessor } from '../../hints/hint-processor.js';
import type { NotificationsHint } from '../../hints/notifications-queue.js';
import { queueNames } from '../../hints/queue-names.js';
import { LOGGER } from '../../logging/logging.module.js';
import { NotificationProcessing } from './notification-processing.js';

/** Wakes the processing of stored notifications. */
@Processor(queueNames.notifications, { concurrency: 8, maxStalledCount: 1, drainDelay: 5 })
export class NotificationsProcessor extends HintProcessor<NotificationsHint> {
  constructor(
    private readonly processing: NotificationProcessing,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger);
  }

  protected takeHint({ ids }: NotificationsHint): void {
    this.processing.offer(ids);
  }
}
