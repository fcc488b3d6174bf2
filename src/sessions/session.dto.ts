import type { Role } from '../access/signed-in-user.js';
import { IsEmailAddress, IsGivenPassword, IsNewPassword } from '../users/user-rules.js';

/** Who signs in. */
export class SignInDto {
  @IsEmailAddress()
  email: string;

  @IsGivenPassword()
  password: string;
}

/** A change of one's own password. */
export class ChangePasswordDto {
  @IsGivenPassword()
  current_password: string;

  /** 12 to 128 characters. */
  @IsNewPassword()
  new_password: string;
}

/** Who is signed in. */
export class SessionUserDto {
  id: string;
  email: string;
  role: Role;
  /** The account of an administrator; null for operators. */
  account_id: string | null;
}

/** The account of an administrator. */
export class SessionAccountDto {
  id: string;
  name: string;
  display_phone_number: string;
  active: boolean;
  /** `paused` or `throttled` while WhatsApp restricts the number, else null. */
  hold_kind: 'paused' | 'throttled' | null;
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
}
