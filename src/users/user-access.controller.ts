import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { Refuses } from '../http/route.decorators.js';
import { UserAccessService } from './user-access.service.js';
import {
  type EndedSessionsDto,
  type ResetLinkDto,
  ResetLinkRequestDto,
  SessionsPageDto,
  type UserSessionsDto,
} from './users.dto.js';

/** Sessions of users, and help for those who cannot sign in. */
@Controller('api/v1/dashboard/users')
export class UserAccessController {
  constructor(private readonly access: UserAccessService) {}

  /** The sessions of a user: one's own, or anybody's for operators. */
  @Get(':id/sessions')
  @RequireRole('viewer')
  listSessions(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Query() page: SessionsPageDto,
  ): Promise<UserSessionsDto> {
    return this.access.listSessions(user, id, page);
  }

  /** Ends all sessions of a user but the one that asks. */
  @Delete(':id/sessions')
  @RequireRole('viewer')
  endSessions(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<EndedSessionsDto> {
    return this.access.endSessions(user, id);
  }

  /** Ends one session of a user. */
  @Delete(':id/sessions/:session_id')
  @RequireRole('viewer')
  endSession(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Param('session_id') sessionId: string,
  ): Promise<EndedSessionsDto> {
    return this.access.endSession(user, id, sessionId);
  }

  /**
   * Makes a link under which the user sets a new password, for 24 hours and once. An earlier one ends. One for oneself
   * takes `current_password`.
   */
  @Post(':id/reset-link')
  @RequireRole('operator')
  @Refuses('CONFLICT', 'RATE_LIMIT_EXCEEDED')
  makeResetLink(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: ResetLinkRequestDto,
  ): Promise<ResetLinkDto> {
    return this.access.makeResetLink(user, id, given.current_password);
  }

  /** Removes the second factor of another user, who has lost it. */
  @Delete(':id/totp')
  @RequireRole('operator')
  @Refuses('CONFLICT')
  removeLostFactor(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<object> {
    return this.access.removeSecondFactor(user, id);
  }
}
