import { Module } from '@nestjs/common';
import { AttemptCounters } from '../access/attempt-counters.js';
import { AuditModule } from '../audit/audit.module.js';
import { Passwords } from './passwords/passwords.js';
import { UserPasswords } from './passwords/user-passwords.js';
import { SecondFactors } from './second-factors.js';
import { Sessions } from './sessions.js';
import { UserAccessController } from './user-access.controller.js';
import { UserAccessService } from './user-access.service.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

/** Users of the dashboard, their passwords, second factors and sessions. */
@Module({
  imports: [AuditModule],
  controllers: [UsersController, UserAccessController],
  providers: [
    AttemptCounters,
    Passwords,
    SecondFactors,
    Sessions,
    UserAccessService,
    UserPasswords,
    UsersService,
  ],
  exports: [AttemptCounters, Passwords, SecondFactors, Sessions, UserPasswords, UsersService],
})
export class UsersModule {}
