import { IsOptional, IsUUID, MinLength } from 'class-validator';
import { TimedPageDto } from '../http/validation/page.dto.js';
import { IsText } from '../http/validation/rules.js';

/** Which entries to list; newest first. */
export class AuditListDto extends TimedPageDto {
  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsUUID(undefined, { message: 'must be the id of an account' })
  account_id?: string;

  @IsOptional()
  @IsUUID(undefined, { message: 'must be the id of a user' })
  user_id?: string;

  /** Such as `api_key.revoked`. */
  @IsOptional()
  @IsText(100)
  action?: string;

  /** What an entry is about: the id of a key, an account, a user. */
  @IsOptional()
  @IsUUID(undefined, { message: 'must be an id' })
  subject_id?: string;

  /** A part of the name of what an entry is about, or of who did it, in upper or lower case. 2 to 100 characters. */
  @IsOptional()
  @MinLength(2, { message: 'must have at least 2 characters' })
  @IsText(100)
  q?: string;

  /** 1 to 100; default 50. */
  override limit = 50;
}

/** An action of a user. */
export class AuditEntryDto {
  id: string;
  at: Date;
  account_id: string | null;
  user_id: string | null;
  /** The user's email address at that time, or the name of what acted. */
  actor: string;
  /** Where the request came from. */
  address: string | null;
  /** Subject and past participle, such as `api_key.revoked`. */
  action: string;
  subject_type: string;
  subject_id: string | null;
  subject_name: string | null;
  /** What changed, without secrets. Administrators do not see `account_id`, which may be of another account. */
  details: object;
}

/** A page of the audit log. */
export class AuditEntriesDto {
  entries: AuditEntryDto[];
  next_cursor: string | null;
}
