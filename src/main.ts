import 'reflect-metadata';
import { AppModule } from './app.module.js';
import { Config } from './config/config.js';
import { compressDashboard } from './dashboard/compression.js';
import { servePage } from './dashboard/page.js';
import { refuseUnfitRedis } from './hints/unfit-redis.js';
import { createApplication } from './http/server/application.js';
import { listen } from './http/server/listening.js';
import { createLogger } from './logging/logger.js';
import { serveMetrics } from './metrics-port.js';
import { start } from './process.js';
import { awaitMigrations } from './waiting.js';

start(async () => {
  const config = new Config(process.env);
  const logger = createLogger('api', config.logLevel);
  await refuseUnfitRedis(config, logger);
  const { host, port } = config;
  const address = { host, port, portName: 'PORT', isPrivate: false };
  const freeAddress = await awaitMigrations(config, logger, address);
  const app = await createApplication(AppModule.forProcess(config, logger), {
    logger,
    trustedProxies: config.trustedProxies,
    isHttps: config.isHttps,
  });
  await compressDashboard(app);
  servePage(app, config.apiUrl);
  app.enableShutdownHooks();
  await serveMetrics(app, config, logger);
  await freeAddress();
  await listen(app, address);
  logger.info(
    { url: await app.getUrl(), store: config.redisUrl ? 'redis' : 'postgres' },
    'API ready',
  );
});
