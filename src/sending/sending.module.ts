import { type BeforeApplicationShutdown, Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccountVersions } from '../accounts/account-versions.js';
import { NumberHolds } from '../accounts/number-holds.js';
import { CampaignFeedingModule } from '../campaigns/release/campaigns.worker.module.js';
import { LOGGER } from '../logging/logging.module.js';
import { MessageChangesModule } from '../messages/rows/message-changes.module.js';
import { Metrics } from '../metrics/metrics.js';
import { PlatformModule } from '../platform/platform.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { DatabaseAvailability } from './database-availability.js';
import { Dispatcher } from './dispatcher.js';
import { HistoryWatch } from './history-watch.js';
import { MessageSending } from './message-sending.js';
import { PlatformGateway } from './platform-gateway.js';
import { Recovery } from './recovery.js';
import { SendsProcessor } from './sends.processor.js';
import { UnconfirmedWatch } from './unconfirmed-watch.js';

/** The worker's side of a send: claim → send → settle. */
@Module({
  imports: [CampaignFeedingModule, MessageChangesModule, PlatformModule, QuotaModule],
  providers: [
    AccountVersions,
    Dispatcher,
    HistoryWatch,
    MessageSending,
    NumberHolds,
    PlatformGateway,
    Recovery,
    SendsProcessor,
    DatabaseAvailability,
    UnconfirmedWatch,
  ],
})
export class SendingModule implements OnModuleInit, BeforeApplicationShutdown {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly recovery: Recovery,
    private readonly processor: SendsProcessor,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'parley_sends_in_flight',
      'Messages claimed by this worker that WhatsApp has not answered yet.',
      () => this.dispatcher.size,
    );
  }

  /** Drains before anything closes its connections. */
  async beforeApplicationShutdown(): Promise<void> {
    this.recovery.stop();
    void this.processor.worker.pause(true).catch(() => undefined);
    await this.dispatcher.stop();
    this.logger.info('every send is settled');
  }
}
