import { Module } from '@nestjs/common';
import { ApiKeyDirectory } from './api-key-directory.js';
import { KeyPepper } from './key-pepper.js';

/** API keys: their form, their digests, their records. */
@Module({ providers: [ApiKeyDirectory, KeyPepper], exports: [ApiKeyDirectory, KeyPepper] })
export class ApiKeysModule {}
