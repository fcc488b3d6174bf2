import { type BeforeApplicationShutdown, Inject, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logging.module.js';
import { MessageChangesModule } from '../messages/message-changes.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { Dispatcher } from './dispatcher.js';
import { MessageSending } from './message-sending.js';
import { NumberHolds } from './number-holds.js';
import { PlatformGateway } from './platform-gateway.js';
import { Recovery } from './recovery.js';
import { SendsProcessor } from './sends.processor.js';
import { StoreWatch } from './store-watch.js';

/** The worker's side of a send: claim → send → settle. */
@Module({
  imports: [MessageChangesModule, QuotaModule],
  providers: [
    Dispatcher,
    MessageSending,
    NumberHolds,
    PlatformGateway,
    Recovery,
    SendsProcessor,
    StoreWatch,
  ],
})
export class SendingModule implements BeforeApplicationShutdown {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly recovery: Recovery,
    private readonly processor: SendsProcessor,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Drains before anything closes its connections. */
  async beforeApplicationShutdown(): Promise<void> {
    this.recovery.stop();
    void this.processor.worker.pause(true).catch(() => undefined);
    await this.dispatcher.stop();
    this.logger.info('every send is settled');
  }
}
