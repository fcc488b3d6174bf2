import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import type { DeliveriesHint } from '../../queues/deliveries-queue.js';
import { queueNames } from '../../queues/queue-names.js';
import { Deliverer } from './deliverer.js';

/** Takes hints from the queue. */
@Processor(queueNames.deliveries, { concurrency: 8, maxStalledCount: 1, drainDelay: 5 })
export class DeliveriesProcessor extends WorkerHost {
  constructor(private readonly deliverer: Deliverer) {
    super();
  }

  async process(job: Job<DeliveriesHint>): Promise<void> {
    this.deliverer.offer(job.data.apiKeyIds);
  }
}
