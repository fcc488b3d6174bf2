import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { UsersModule } from '../users/users.module.js';
import { PasswordResetController } from './password-reset.controller.js';
import { PasswordResetService } from './password-reset.service.js';
import { SecondFactorController } from './second-factor.controller.js';
import { SecondFactorService } from './second-factor.service.js';
import { SecondFactorCheck } from './second-factor-check.js';
import { SessionController } from './session.controller.js';
import { SessionGuard } from './session.guard.js';
import { SessionService } from './session.service.js';
import { SessionCookies } from './session-cookies.js';

/** Signing in to the dashboard. */
@Module({
  imports: [ApiKeysModule, AuditModule, UsersModule],
  controllers: [SessionController, SecondFactorController, PasswordResetController],
  providers: [
    PasswordResetService,
    SecondFactorCheck,
    SecondFactorService,
    SessionCookies,
    SessionService,
    { provide: APP_GUARD, useClass: SessionGuard },
  ],
  exports: [SessionCookies, SessionService, UsersModule],
})
export class SessionsModule {}
