import type { Queue } from 'bullmq';
import type { Logger } from 'pino';

/** A queue whose jobs tell workers where to look. A hint may be lost, repeated or late without harm. */
export class HintQueue<Hint extends object> {
  private isAway = false;

  /** @param jobName what a worker does on such a hint, verb first. */
  constructor(
    private readonly queue: Queue,
    private readonly jobName: string,
    private readonly logger: Logger,
  ) {
    this.queue.on('error', (error) => this.noteAway(error));
  }

  /** Adds one hint. Never rejects: workers find due rows themselves within seconds. */
  async addHint(hint: Hint): Promise<void> {
    try {
      await this.queue.add(this.jobName, hint);
      if (this.isAway) this.logger.info({ queue: this.queue.name }, 'the queue is back');
      this.isAway = false;
    } catch (error) {
      this.noteAway(error);
    }
  }

  private noteAway(error: unknown): void {
    if (!this.isAway) {
      this.logger.warn(
        { err: error, queue: this.queue.name },
        'the queue is away; workers look for due rows',
      );
    }
    this.isAway = true;
  }
}
