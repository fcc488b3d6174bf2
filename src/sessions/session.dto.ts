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
  /** `paused`, `throttled` or null: what WhatsApp lets its number do. */
  hold_kind: 'paused' | 'throttled' | null;
}

/** What the page needs to know of its user and of the installation. */
export class SessionDto {
  user: SessionUserDto;
  /** Null for operators, who read all accounts. */
  account: SessionAccountDto | null;
  /** Where callers reach the API. */
  public_url: string;
  /** Whether there is a simulator: test keys can be made, and the sandbox phone works. */
  simulator: boolean;
}
