import { Body, Controller, Post, Req } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import type { Request } from '../http/request.js';
import { PasswordResetService } from './password-reset.service.js';
import { type PasswordResetAnswerDto, PasswordResetDto } from './session.dto.js';
import { LimitSignIn } from './sign-in-attempts.js';

/** Setting a new password under a link. */
@Controller('api/v1/dashboard/password-reset')
export class PasswordResetController {
  constructor(private readonly resets: PasswordResetService) {}

  /** Sets a new password under a link that an operator has handed over; all sessions of the user end. */
  @Post()
  @RequireRole('anybody')
  @LimitSignIn()
  resetPassword(
    @Body() given: PasswordResetDto,
    @Req() request: Request,
  ): Promise<PasswordResetAnswerDto> {
    return this.resets.reset(given, request.ip);
  }
}
