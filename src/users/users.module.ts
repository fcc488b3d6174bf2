import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { Passwords } from './passwords.js';
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
  providers: [Passwords, SecondFactors, Sessions, UserAccessService, UsersService],
  exports: [Passwords, SecondFactors, Sessions, UsersService],
})
export class UsersModule {}
