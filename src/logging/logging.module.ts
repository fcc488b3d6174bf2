import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';

/** The token under which services get the process's pino logger. */
export const LOGGER = Symbol('logger');

/** Gives every module the log of the process. */
@Module({})
export class LoggingModule {
  static forProcess(logger: Logger): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      providers: [{ provide: LOGGER, useValue: logger }],
      exports: [LOGGER],
    };
  }
}
