import 'reflect-metadata';
import { Config } from './config/config.js';
import { awaitDatabase } from './database/opening.js';
import { refuseEvictingRedis } from './hints/redis-eviction.js';
import { createApplication } from './http/server/application.js';
import { listen } from './http/server/listening.js';
import { createLogger } from './logging/logger.js';
import { start } from './process.js';
import { WorkerModule } from './worker.module.js';

start(async () => {
  const config = new Config(process.env);
  const logger = createLogger('worker', config.logLevel);
  await refuseEvictingRedis(config, logger);
  const database = await awaitDatabase(config, logger);
  await database.destroy();
  const app = await createApplication(WorkerModule.forProcess(config, logger), {
    logger,
    trustedProxies: [],
    isHttps: false,
  });
  app.enableShutdownHooks();
  await listen(app, { host: config.host, port: config.workerPort, portName: 'WORKER_PORT' });
  logger.info({ url: await app.getUrl() }, 'worker ready');
});
