import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { dataSourceOptions } from './data-source-options.js';

/** The connection pool of a process. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        ...dataSourceOptions(config.databaseUrl),
        // PostgreSQL may come up after us; readiness tells the truth meanwhile.
        retryAttempts: 30,
        retryDelay: 1_000,
        verboseRetryLog: false,
      }),
    }),
  ],
})
export class DatabaseModule {}
