import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AttemptCounters } from '../access/attempt-counters.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { UsersModule } from '../users/users.module.js';
import { SessionController } from './session.controller.js';
import { SessionGuard } from './session.guard.js';
import { SessionService } from './session.service.js';
import { SessionCookies } from './session-cookies.js';

/** Signing in to the dashboard. */
@Module({
  imports: [ApiKeysModule, AuditModule, UsersModule],
  controllers: [SessionController],
  providers: [
    AttemptCounters,
    SessionCookies,
    SessionService,
    { provide: APP_GUARD, useClass: SessionGuard },
  ],
  exports: [AttemptCounters, SessionCookies, SessionService],
})
export class SessionsModule {}
