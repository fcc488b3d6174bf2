import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from '../config/config.js';
import { HotStatements } from '../database/hot-statements.js';
import { LOGGER } from '../logging/logging.module.js';
import { EventHints } from './event-hints.js';
import { HintChannel } from './hint-channel.js';
import { PostgresHintChannel } from './postgres-hint-channel.js';
import { RedisHintChannel } from './redis-hint-channel.js';
import { ReplyHints } from './reply-hints.js';

/** Hints between processes, over the store that the configuration names. */
@Global()
@Module({
  providers: [
    {
      provide: HintChannel,
      inject: [Config, HotStatements, LOGGER],
      useFactory: (config: Config, statements: HotStatements, logger: Logger) =>
        config.redisUrl === null
          ? new PostgresHintChannel(config.databaseUrl, statements, logger)
          : new RedisHintChannel(config.redisUrl, logger),
    },
    ReplyHints,
    EventHints,
  ],
  exports: [ReplyHints, EventHints],
})
export class RepliesModule implements OnApplicationShutdown {
  constructor(@Inject(HintChannel) private readonly channel: HintChannel) {}

  async onApplicationShutdown(): Promise<void> {
    await this.channel.close();
  }
}
