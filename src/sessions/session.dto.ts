import { Matches, ValidateIf } from 'class-validator';
import type { Role } from '../access/signed-in-user.js';
import type { AccountLimitsDto } from '../accounts/limits/account-limits.dto.js';
import { IsText, isGiven } from '../http/validation/rules.js';
import { IsEmailAddress, IsGivenPassword, IsNewPassword } from '../users/user-rules.js';

const totpForm = /^\d{6}$/;
const totpRule = { message: 'must be the six digits that the authenticator shows' };

/** Who signs in. */
export class SignInDto {
  @IsEmailAddress()
  email: string;

  @IsGivenPassword()
  password: string;

  /** The six digits that the authenticator shows, for users with a second factor. */
  @ValidateIf((given: SignInDto) => isGiven(given.totp))
  @Matches(totpForm, totpRule)
  totp?: string | null;

  /** One of the recovery codes in place of `totp`; each works once. */
  @ValidateIf((given: SignInDto) => isGiven(given.recovery_code))
  @IsText(64)
  recovery_code?: string | null;
}

/** A change of one's own password. */
export class ChangePasswordDto {
  @IsGivenPassword()
  current_password: string;

  /** 12 to 128 characters. */
  @IsNewPassword()
  new_password: string;
}

/** The password again, for a change of the second factor. */
export class OwnPasswordDto {
  @IsGivenPassword()
  current_password: string;
}

/** A second factor that is being set up. */
export class TotpSetupDto {
  /** 160 bits in base32, for authenticators without a camera. */
  secret: string;
  /** `otpauth://…`, for a QR code. */
  uri: string;
}

/** A code that proves that the authenticator has the secret. */
export class TotpConfirmationDto {
  @Matches(totpForm, totpRule)
  totp: string;
}

/** What a user keeps for the day on which the authenticator is lost. */
export class RecoveryCodesDto {
  /** Ten codes, each of which works once; they are not shown again. */
  recovery_codes: string[];
}

/** A new password under a link that an operator has handed over. */
export class PasswordResetDto {
  /** What comes behind `#token=` in the link. */
  @IsText(64)
  token: string;

  /** 12 to 128 characters. */
  @IsNewPassword()
  new_password: string;
}

/** Who is signed in. */
export class SessionUserDto {
  id: string;
  email: string;
  role: Role;
  /** The account of an administrator or a viewer; null for operators. */
  account_id: string | null;
  has_second_factor: boolean;
}

/** The account of an administrator or a viewer. */
export class SessionAccountDto {
  id: string;
  name: string;
  display_phone_number: string;
  active: boolean;
  /** `paused` or `throttled` while WhatsApp restricts the number, else null. */
  hold_kind: 'paused' | 'throttled' | null;
  /** Operators set them. */
  limits: AccountLimitsDto;
}

/** Whose password was set. */
export class PasswordResetAnswerDto {
  email: string;
}

/** What the dashboard needs to know about the user and the installation. */
export class SessionDto {
  user: SessionUserDto;
  /** Null for operators, who read all accounts. */
  account: SessionAccountDto | null;
  /** Where callers reach the API. */
  public_url: string;
  /** Whether there is a simulator; without one there are no test keys and no sandbox phone. */
  simulator: boolean;
  /** Whether the simulator gets what live keys send, too: nothing reaches WhatsApp. */
  whatsapp_simulated: boolean;
  /** Whether users without a second factor may do nothing but set one up. */
  second_factor_required: boolean;
  /** Which version of Parley runs. */
  version: string;
}
