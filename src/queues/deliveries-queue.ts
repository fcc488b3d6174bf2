import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logging.module.js';
import { HintQueue } from './hint-queue.js';
import { queueNames } from './queue-names.js';

/** Ids of API keys whose endpoints have something to get now. */
export interface DeliveriesHint {
  readonly apiKeyIds: readonly string[];
}

/** Tells workers of deliveries to make; what comes in one turn of the loop goes as one hint. */
@Injectable()
export class DeliveriesQueue extends HintQueue<DeliveriesHint> {
  private pending = new Set<string>();

  constructor(@InjectQueue(queueNames.deliveries) queue: Queue, @Inject(LOGGER) logger: Logger) {
    super(queue, 'deliver-events', logger);
  }

  /** Tells of one endpoint. */
  wake(apiKeyId: string): void {
    if (this.pending.size === 0) setImmediate(() => this.flush());
    this.pending.add(apiKeyId);
  }

  private flush(): void {
    const apiKeyIds = [...this.pending];
    this.pending = new Set();
    void this.add({ apiKeyIds });
  }
}
