import { Module } from '@nestjs/common';
import { ApiKeyDirectory } from './api-key-directory.js';
import { KeyPepper } from './key-pepper.js';
import { SigningSecrets } from './signing-secrets.js';

/** API keys: their form, their digests, their records. */
@Module({
  providers: [ApiKeyDirectory, KeyPepper, SigningSecrets],
  exports: [ApiKeyDirectory, KeyPepper, SigningSecrets],
})
export class ApiKeysModule {}
