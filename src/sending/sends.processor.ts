import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import type { Logger } from 'pino';
import { HintProcessor } from '../hints/hint-processor.js';
import { queueNames } from '../hints/queue-names.js';
import type { SendsHint } from '../hints/sends-queue.js';
import { LOGGER } from '../logging/logging.module.js';
import { Dispatcher } from './dispatcher.js';

/** Jobs that may wait at once for the dispatcher to have room. */
const concurrency = 8;

/** Wakes the dispatcher. A job ends when its ids are claimed or in the local list. */
@Processor(queueNames.sends, { concurrency, maxStalledCount: 1, drainDelay: 5 })
export class SendsProcessor extends HintProcessor<SendsHint> {
  constructor(
    private readonly dispatcher: Dispatcher,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger);
  }

  protected takeHint(hint: SendsHint): Promise<void> {
    return this.dispatcher.takeHint(hint);
  }
}
