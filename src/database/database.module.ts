import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { dataSourceOptions, type EntityClass } from './data-source-options.js';
import { DatabaseTimeline } from './history/database-timeline.js';
import { HotStatements } from './hot-statements.js';
import { holdToOneConnection } from './transactions/one-connection.js';
import { Turns } from './transactions/turns.js';

/** The connections of a process. */
@Global()
@Module({})
export class DatabaseModule {
  constructor(config: Config, dataSource: DataSource) {
    if (config.checksTransactions) holdToOneConnection(dataSource);
  }

  static withEntities(entities: readonly EntityClass[]): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config],
          useFactory: (config: Config) => ({
            ...dataSourceOptions(config.databaseUrl, entities),
            // `awaitDatabase` has seen it; it may have gone away since.
            retryAttempts: 30,
            retryDelay: 1_000,
            verboseRetryLog: false,
          }),
        }),
      ],
      providers: [DatabaseTimeline, HotStatements, Turns],
      exports: [DatabaseTimeline, HotStatements, Turns],
    };
  }
}
