import { Body, Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import {
  RequireRole,
  RequireRoleBeforeSecondFactor,
} from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import type { Reply, Request } from '../http/request.js';
import { Refuses } from '../http/route.decorators.js';
import { ChangePasswordDto, type SessionDto, SignInDto } from './session.dto.js';
import { SessionService } from './session.service.js';
import { LimitSignIn } from './sign-in-attempts.js';

/** Signing in and out of the dashboard. */
@Controller('api/v1/dashboard')
export class SessionController {
  constructor(private readonly sessions: SessionService) {}

  /** Signs in; the answer sets the session's cookie. */
  @Post('session')
  @RequireRole('anybody')
  @LimitSignIn()
  @Refuses('UNAUTHENTICATED', 'TOTP_REQUIRED')
  signIn(
    @Body() given: SignInDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<SessionDto> {
    return this.sessions.signIn(given, request, reply);
  }

  /** Who is signed in. */
  @Get('session')
  @RequireRoleBeforeSecondFactor('viewer')
  get(@SignedIn() user: SignedInUser): Promise<SessionDto> {
    return this.sessions.describe(user);
  }

  /** Signs out. */
  @Delete('session')
  @RequireRoleBeforeSecondFactor('viewer')
  signOut(
    @SignedIn() user: SignedInUser,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<object> {
    return this.sessions.signOut(user, reply);
  }

  /** Signs out everywhere. */
  @Delete('sessions')
  @RequireRoleBeforeSecondFactor('viewer')
  signOutEverywhere(
    @SignedIn() user: SignedInUser,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<object> {
    return this.sessions.signOutEverywhere(user, reply);
  }

  /** Changes one's own password; all other sessions end. */
  @Post('session/password')
  @RequireRole('viewer')
  @LimitSignIn()
  changePassword(
    @SignedIn() user: SignedInUser,
    @Body() given: ChangePasswordDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<SessionDto> {
    return this.sessions.changePassword(user, given, request, reply);
  }
}
