import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { Passwords } from './passwords.js';
import { Sessions } from './sessions.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

/** Users of the dashboard, their passwords and sessions. */
@Module({
  imports: [AuditModule],
  controllers: [UsersController],
  providers: [Passwords, Sessions, UsersService],
  exports: [Passwords, Sessions, UsersService],
})
export class UsersModule {}
