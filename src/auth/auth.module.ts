import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { RouteAccessCheck } from './route-access.check.js';

/** Guards every route of the process. */
@Module({
  imports: [ApiKeysModule, QuotaModule, DiscoveryModule],
  providers: [RouteAccessCheck, { provide: APP_GUARD, useClass: ApiKeyGuard }],
})
export class AuthModule {}
