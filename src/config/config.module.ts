import { Global, Module } from '@nestjs/common';
import { Config } from './config.js';

/** The configuration of this process, for every module. */
@Global()
@Module({
  providers: [{ provide: Config, useFactory: () => new Config(process.env) }],
  exports: [Config],
})
export class ConfigModule {}
