import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { SessionsModule } from './sessions.module.js';
import { SignInLimitGuard } from './sign-in-limit.guard.js';

/**
 * Limits attempts to sign in. Guards run in the order in which their modules are listed, and this one belongs after the
 * session's, which refuses requests from other origins: if those counted, any page could lock its visitors out.
 */
@Module({
  imports: [SessionsModule],
  providers: [{ provide: APP_GUARD, useClass: SignInLimitGuard }],
})
export class SignInLimitModule {}
