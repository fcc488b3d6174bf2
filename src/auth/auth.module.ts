import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { IdempotentReplays } from '../idempotency/idempotent-replays.js';
import { QuotaModule } from '../quota/quota.module.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ReplayMarks } from './replay-marks.js';
import { RequestAccounting } from './request-accounting.js';
import { RouteAccessCheck } from './route-access.check.js';
import { SignatureCheck } from './signature-check.js';
import { UnknownKeyLimits } from './unknown-key-limits.js';

/** Guards every route of the process. */
@Module({
  imports: [ApiKeysModule, QuotaModule, DiscoveryModule],
  providers: [
    RouteAccessCheck,
    RequestAccounting,
    SignatureCheck,
    IdempotentReplays,
    UnknownKeyLimits,
    ReplayMarks,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
})
export class AuthModule {}
