import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { ApiKeyDirectory } from './api-key-directory.js';
import { ApiKeyRecords } from './api-key-records.js';
import { ApiKeyRotationService } from './api-key-rotation.service.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyPepper } from './key-pepper.js';
import { SigningSecrets } from './signing-secrets.js';

/** API keys: their form, their digests, their records, and how they are managed. */
@Module({
  imports: [AccountsModule, AuditModule, EndpointsModule, QuotaModule],
  controllers: [ApiKeysController],
  providers: [
    ApiKeyDirectory,
    ApiKeyRecords,
    ApiKeyRotationService,
    ApiKeysService,
    ApiKeyUsage,
    KeyPepper,
    SigningSecrets,
  ],
  exports: [
    ApiKeyDirectory,
    ApiKeyRecords,
    ApiKeyRotationService,
    ApiKeysService,
    ApiKeyUsage,
    KeyPepper,
    SigningSecrets,
  ],
})
export class ApiKeysModule {}
