import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import pg from 'pg';
import { Config } from '../config/config.js';
import { DatabaseClient } from '../database/database-client.js';
import { NotificationsQueue } from './notifications-queue.js';
import { hintJobOptions, queueNames } from './queue-names.js';
import { redisOptions } from './redis.js';
import { SendsQueue } from './sends-queue.js';

/** Whether a process fails fast when its queue is away, or waits for it. */
export type QueueRole = 'producer' | 'consumer';

/** Connections that BullMQ may use in one process when it lives in PostgreSQL. */
const postgresPoolSize = 4;

function connectionFor(config: Config, role: QueueRole) {
  if (config.redisUrl === null) {
    // BullMQ's other backend. Both carry hints only, so it does not matter which one runs below.
    setDefaultBackendFactory(createPostgresBackend);
    // For the connection on which it listens BullMQ takes pg's own class, and notices its loss too late.
    Object.assign(pg, { Client: DatabaseClient });
    return {
      connectionString: config.databaseUrl,
      max: postgresPoolSize,
      // A job is only a hint: workers find the message's row without it, so its commit need not wait for the disk.
      options: '-c synchronous_commit=off',
      Client: DatabaseClient,
    };
  }
  return role === 'producer'
    ? {
        ...redisOptions(config.redisUrl),
        // Workers find the row anyway: a producer must not make its caller wait for Redis.
        enableOfflineQueue: false,
        maxRetriesPerRequest: 1,
        commandTimeout: 500,
        retryStrategy: (times: number) => Math.min(times * 100, 1_000),
      }
    : {
        ...redisOptions(config.redisUrl),
        maxRetriesPerRequest: null,
        retryStrategy: (times: number) => Math.min(times * 100, 1_000),
      };
}

/** BullMQ on Redis or, without `REDIS_URL`, on PostgreSQL. */
@Module({})
export class QueuesModule {
  static forRole(role: QueueRole): DynamicModule {
    return {
      module: QueuesModule,
      global: true,
      imports: [
        BullModule.forRootAsync({
          inject: [Config],
          useFactory: (config: Config) => ({
            connection: connectionFor(config, role),
            defaultJobOptions: hintJobOptions,
          }),
        }),
        BullModule.registerQueue(...Object.values(queueNames).map((name) => ({ name }))),
      ],
      providers: [SendsQueue, NotificationsQueue],
      exports: [SendsQueue, NotificationsQueue, BullModule],
    };
  }
}
