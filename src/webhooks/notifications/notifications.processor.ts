import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import type { NotificationsHint } from '../../hints/notifications-queue.js';
import { queueNames } from '../../hints/queue-names.js';
import { NotificationProcessing } from './notification-processing.js';

/** Takes hints from the queue. */
@Processor(queueNames.notifications, { concurrency: 8, maxStalledCount: 1, drainDelay: 5 })
export class NotificationsProcessor extends WorkerHost {
  constructor(private readonly processing: NotificationProcessing) {
    super();
  }

  async process(job: Job<NotificationsHint>): Promise<void> {
    this.processing.offer(job.data.ids);
  }
}
