import { type DynamicModule, Module } from '@nestjs/common';
import { Config } from './config.js';

/** The configuration of this process, for every module. */
@Module({})
export class ConfigModule {
  static forProcess(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: Config, useValue: config }],
      exports: [Config],
    };
  }
}
