import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AttemptCounters } from '../auth/attempt-counters.js';
import { UsersModule } from '../users/users.module.js';
import { AccountsController } from './accounts.controller.js';
import { ApiKeysController } from './api-keys.controller.js';
import { SessionController } from './session.controller.js';
import { SessionGuard } from './session.guard.js';
import { SessionService } from './session.service.js';
import { UsersController } from './users.controller.js';

/** The REST of the dashboard. */
@Module({
  imports: [AccountsModule, ApiKeysModule, AuditModule, UsersModule],
  controllers: [AccountsController, ApiKeysController, SessionController, UsersController],
  providers: [AttemptCounters, SessionService, { provide: APP_GUARD, useClass: SessionGuard }],
  exports: [AttemptCounters],
})
export class DashboardModule {}
