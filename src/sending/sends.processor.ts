import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import { queueNames } from '../hints/queue-names.js';
import type { SendsHint } from '../hints/sends-queue.js';
import { LOGGER } from '../logging/logging.module.js';
import { Dispatcher } from './dispatcher.js';

/** Jobs that may wait at once for the dispatcher to have room. */
const concurrency = 8;

/** Takes hints from the queue. A job ends when its ids are claimed or in the local list. */
@Processor(queueNames.sends, { concurrency, maxStalledCount: 1, drainDelay: 5 })
export class SendsProcessor extends WorkerHost {
  constructor(
    private readonly dispatcher: Dispatcher,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  /** Unheard, it would be printed as it is, with the statement and its values. */
  @OnWorkerEvent('error')
  noteError(error: Error): void {
    this.logger.debug({ err: error }, 'the queue is away; workers look for due rows');
  }

  async process(job: Job<SendsHint>): Promise<void> {
    await this.dispatcher.offer(job.data);
  }
}
