import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';

/** Takes hints from one queue. */
export abstract class HintProcessor<Hint> extends WorkerHost {
  constructor(private readonly logger: Logger) {
    super();
  }

  /** A hint is taken when this resolves; the next one may wait for it. */
  protected abstract takeHint(hint: Hint): void | Promise<void>;

  async process(job: Job<Hint>): Promise<void> {
    await this.takeHint(job.data);
  }

  /** Without a listener, BullMQ prints the error as it is, with the statement and its values. */
  @OnWorkerEvent('error')
  noteError(error: Error): void {
    this.logger.debug({ err: error }, 'the queue is away; workers look for due rows');
  }
}
