import { IsIn, IsOptional, IsUUID, ValidateIf } from 'class-validator';
import { accountRoles, type Role, roles } from '../access/signed-in-user.js';
import { MayBeAbsent } from '../http/validation/body.pipe.js';
import { IsLimit } from '../http/validation/page.dto.js';
import { BelongsTo, IsFlag, IsIdOf, IsText, isGiven } from '../http/validation/rules.js';
import { IsEmailAddress, IsGivenPassword, IsNewPassword } from './user-rules.js';

const roleRule = { message: `must be one of ${roles.join(', ')}` };

/** What is wrong with an operator's account. */
export const accountOwnerRule = 'belongs to administrators and viewers only';

/** A new user of the dashboard. */
export class NewUserDto {
  /** ASCII characters; unique, regardless of upper and lower case. */
  @IsEmailAddress()
  email: string;

  /** 12 to 128 characters. Without it, the answer has a link under which the user sets one. */
  @ValidateIf((user: NewUserDto) => isGiven(user.password))
  @IsNewPassword()
  password?: string | null;

  @IsIn(roles, roleRule)
  role: Role;

  /** The account of an administrator or a viewer; operators have none. */
  @IsIdOf('an account')
  @IsText(36)
  @BelongsTo('role', accountRoles, accountOwnerRule, { isRequired: true })
  account_id?: string | null;

  /** Default: true. Without `password` it must be true. */
  @ValidateIf((user: NewUserDto) => isGiven(user.active))
  @IsFlag()
  active?: boolean | null;
}

/** A change of a user; absent fields stay as they are. */
export class UserChangeDto {
  @ValidateIf((user: UserChangeDto) => user.email !== undefined)
  @IsEmailAddress()
  email?: string;

  /** 12 to 128 characters. All sessions of the user end. */
  @ValidateIf((user: UserChangeDto) => user.password !== undefined)
  @IsNewPassword()
  password?: string;

  /** One's own password of now, for a change of one's own address or password. */
  @IsOptional()
  @IsGivenPassword()
  current_password?: string | null;

  @ValidateIf((user: UserChangeDto) => user.role !== undefined)
  @IsIn(roles, roleRule)
  role?: Role;

  @ValidateIf((user: UserChangeDto) => isGiven(user.account_id))
  @IsIdOf('an account')
  account_id?: string | null;

  /** Switching a user off signs them out everywhere at once. */
  @ValidateIf((user: UserChangeDto) => user.active !== undefined)
  @IsFlag()
  active?: boolean;
}

/** A user of the dashboard. */
export class UserDto {
  id: string;
  email: string;
  role: Role;
  /** The account of an administrator or a viewer; null for operators. */
  account_id: string | null;
  active: boolean;
  has_second_factor: boolean;
  /** False: the user was invited by a link, has not set a password yet, and cannot sign in. */
  has_password: boolean;
  /** ISO 8601; null before the first one. */
  last_sign_in_at: Date | null;
  /** ISO 8601. */
  created_at: Date;
}

/** What a link takes. */
@MayBeAbsent()
export class ResetLinkRequestDto {
  /** One's own password, for a link to one's own new password. */
  @IsOptional()
  @IsGivenPassword()
  current_password?: string | null;
}

/** A link under which a user sets a new password; it is not shown again. */
export class ResetLinkDto {
  url: string;
  /** ISO 8601; it ends earlier once it is used, or with a newer link or password. */
  expires_at: Date;
}

/** One session of a user. */
export class UserSessionDto {
  id: string;
  /** ISO 8601. */
  created_at: Date;
  /** ISO 8601, to the minute. */
  last_used_at: Date;
  /** Where it was begun; null for sessions from before the version that notes it. */
  address: string | null;
  /** What the browser calls itself, at most 300 characters. */
  user_agent: string | null;
  /** Whether it is the session of this request. */
  is_current: boolean;
}

/** The sessions of a user that go on. */
export class UserSessionsDto {
  sessions: UserSessionDto[];
  next_cursor: string | null;
}

/** A page of sessions, those used last first. */
export class SessionsPageDto {
  /** 1 to 100; default 20. */
  @IsLimit(100)
  limit = 20;

  /** `next_cursor` of the page before. If that session has ended meanwhile, the list begins again. */
  @IsOptional()
  @IsUUID(undefined, { message: 'must be the next_cursor of an earlier answer' })
  cursor?: string;
}

/** What was ended. */
export class EndedSessionsDto {
  sessions_ended: number;
}

/** All users. */
export class UsersDto {
  users: UserDto[];
}

/** One user. */
export class UserAnswerDto {
  user: UserDto;
}

/** A new user; without a password of its own, with the link to set one. */
export class NewUserAnswerDto extends UserAnswerDto {
  /** Where the user sets a password, once and within 24 hours; it is not shown again. Absent with `password`. */
  invite_link?: string;
  /** ISO 8601; the link ends earlier once it is used, or with a newer link or password. */
  invite_link_expires_at?: Date;
}
