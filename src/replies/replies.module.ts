import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from '../config/config.js';
import { HotStatements } from '../database/hot-statements.js';
import { LOGGER } from '../logging/logging.module.js';
import { PostgresReplyHints } from './postgres-reply-hints.js';
import { RedisReplyHints } from './redis-reply-hints.js';
import { ReplyHints } from './reply-hints.js';

/** Word from workers to waiting callers, over the store that the configuration names. */
@Global()
@Module({
  providers: [
    {
      provide: ReplyHints,
      inject: [Config, HotStatements, LOGGER],
      useFactory: (config: Config, statements: HotStatements, logger: Logger) =>
        config.redisUrl === null
          ? new PostgresReplyHints(config.databaseUrl, statements, logger)
          : new RedisReplyHints(config.redisUrl, logger),
    },
  ],
  exports: [ReplyHints],
})
export class RepliesModule implements OnApplicationShutdown {
  constructor(@Inject(ReplyHints) private readonly hints: ReplyHints) {}

  async onApplicationShutdown(): Promise<void> {
    await this.hints.close();
  }
}
