import { Body, Controller, Delete, Post } from '@nestjs/common';
import { RequireRoleBeforeSecondFactor } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { Refuses } from '../http/route.decorators.js';
import { SecondFactorService } from './second-factor.service.js';
import {
  OwnPasswordDto,
  type RecoveryCodesDto,
  TotpConfirmationDto,
  type TotpSetupDto,
} from './session.dto.js';
import { LimitSignIn } from './sign-in-attempts.js';

/** One's own second factor. */
@Controller('api/v1/dashboard/me')
@RequireRoleBeforeSecondFactor('viewer')
export class SecondFactorController {
  constructor(private readonly factors: SecondFactorService) {}

  /** Begins to set up a second factor: gives the secret for the authenticator. */
  @Post('totp')
  @LimitSignIn()
  @Refuses('CONFLICT')
  begin(@SignedIn() user: SignedInUser, @Body() given: OwnPasswordDto): Promise<TotpSetupDto> {
    return this.factors.begin(user, given.current_password);
  }

  /** Switches the second factor on, and gives the recovery codes. */
  @Post('totp/confirm')
  @LimitSignIn()
  @Refuses('CONFLICT')
  confirm(
    @SignedIn() user: SignedInUser,
    @Body() given: TotpConfirmationDto,
  ): Promise<RecoveryCodesDto> {
    return this.factors.confirm(user, given.totp);
  }

  /** Switches the second factor off; the recovery codes end with it. */
  @Delete('totp')
  @LimitSignIn()
  @Refuses('CONFLICT')
  remove(@SignedIn() user: SignedInUser, @Body() given: OwnPasswordDto): Promise<object> {
    return this.factors.remove(user, given.current_password);
  }
}
