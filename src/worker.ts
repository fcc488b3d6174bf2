import 'reflect-metadata';
import { Config } from './config/config.js';
import { refuseUnfitRedis } from './hints/unfit-redis.js';
import { createApplication } from './http/server/application.js';
import { listen } from './http/server/listening.js';
import { createLogger } from './logging/logger.js';
import { start } from './process.js';
import { awaitMigrations } from './waiting.js';
import { WorkerModule } from './worker.module.js';

start(async () => {
  const config = new Config(process.env);
  const logger = createLogger('worker', config.logLevel);
  await refuseUnfitRedis(config, logger);
  const { host, workerPort: port } = config;
  const address = { host, port, portName: 'WORKER_PORT', isPrivate: true };
  const freeAddress = await awaitMigrations(config, logger, address);
  const app = await createApplication(WorkerModule.forProcess(config, logger), {
    logger,
    trustedProxies: [],
    isHttps: false,
  });
  app.enableShutdownHooks();
  await freeAddress();
  await listen(app, address);
  logger.info({ url: await app.getUrl() }, 'worker ready');
});
