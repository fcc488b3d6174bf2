import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { migrateHint, missingMigrations, neededMigrations } from './database/migrations/missing.js';
import { awaitDatabase } from './database/opening/open-database.js';
import { unavailable } from './errors/app-error.js';
import { HealthModule } from './health/health.module.js';
import { errorEnvelope } from './http/envelope.js';
import type { Reply, Request } from './http/request.js';
import { createApplication } from './http/server/application.js';
import { type Address, listen } from './http/server/listening.js';
import { LoggingModule } from './logging/logging.module.js';

const lookEveryMs = 1_000;

/** A process that waits for its migrations: it has health routes, and nothing that works. */
@Module({})
class WaitingModule {
  static forProcess(config: Config, logger: Logger, isPrivate: boolean): DynamicModule {
    return {
      module: WaitingModule,
      global: true,
      imports: [
        ConfigModule.forProcess(config),
        LoggingModule.forProcess(logger),
        HealthModule.forProcess({ needsRedis: false, isPrivate, waits: true }),
      ],
    };
  }
}

/**
 * Waits for the migrations that this version needs. Meanwhile the process answers health, and everything else with
 * 503; it touches no table.
 * @returns what frees the address. Call it just before the process itself listens there.
 * @throws ConfigError when the server is too old, or the address cannot be listened on.
 */
export async function awaitMigrations(
  config: Config,
  logger: Logger,
  address: Address,
): Promise<() => Promise<void>> {
  const database = await awaitDatabase(config, logger);
  const missing = await missingMigrations(database);
  if (missing.length === 0) {
    await database.destroy();
    return async () => {};
  }
  logger.warn(
    { missing },
    `${missing.length} of ${neededMigrations.length} migrations are missing, and this process waits for them: ${migrateHint}`,
  );
  const app = await createApplication(WaitingModule.forProcess(config, logger, address.isPrivate), {
    logger,
    trustedProxies: config.trustedProxies,
    isHttps: config.isHttps,
  });
  refuseAllButHealth(app);
  app.enableShutdownHooks();
  await listen(app, address);
  const isMigrated = async () => (await missingMigrations(database)).length === 0;
  // While the database is away, readiness says so.
  while (!(await isMigrated().catch(() => false))) await pause(lookEveryMs);
  logger.info('the migrations are there; going on');
  return async () => {
    await app.close();
    await database.destroy();
  };
}

/** Answers without the line in the log that other errors get: the cause has been logged. */
function refuseAllButHealth(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (request: Request, reply: Reply, done: () => void) => {
    if (request.url.startsWith('/health/')) return done();
    const error = unavailable(
      'migrations_missing',
      'The database lacks migrations of this version; nothing was sent.',
    );
    request.errorCode = error.code;
    reply
      .status(error.status)
      .header('retry-after', String(error.retryAfterSeconds))
      .send(errorEnvelope(request, error));
  });
}
