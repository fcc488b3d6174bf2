import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { SealedSecretsCheck } from './sealed-secrets.check.js';
import { SecretBox } from './secret-box.js';

/** Encryption of stored secrets under SECRET_KEY. */
@Global()
@Module({
  providers: [
    SealedSecretsCheck,
    {
      provide: SecretBox,
      inject: [Config],
      useFactory: (config: Config) => new SecretBox(config.secretKeys),
    },
  ],
  exports: [SecretBox],
})
export class SecretsModule {}
