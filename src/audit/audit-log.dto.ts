import { IsOptional, IsUUID, MinLength } from 'class-validator';
import { TimedPageDto } from '../http/validation/page.dto.js';
import { IsIdOf, IsText } from '../http/validation/rules.js';

/** Which entries to list; newest first. */
export class AuditListDto extends TimedPageDto {
  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;

  @IsOptional()
  @IsIdOf('a user')
  user_id?: string;

  /** Such as `api_key.revoked`. */
  @IsOptional()
  @IsText(100)
  action?: string;

  /** What an entry is about: the id of a key, an account, a user. */
  @IsOptional()
  @IsUUID(undefined, { message: 'must be an id' })
  subject_id?: string;

  /**
   * A part of what the console shows of an entry, in upper or lower case: the words of the action, the name of what it is
   * about, who did it, from which address, the values and names in its details. 2 to 100 characters.
   */
  @IsOptional()
  @MinLength(2, { message: 'must have at least 2 characters' })
  @IsText(100)
  q?: string;

  /** 1 to 100; default 50. */
  override limit = 50;
}

/** An endpoint that an entry names by its id, as it is called now. */
export class AuditEndpointDto {
  id: string;
  /** `default`: what `webhook_url` of the key sets. */
  name: string;
  /** Null: it was deleted, or its key has no webhook now. */
  url: string | null;
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
  /** The endpoint that was changed or used, or that a job was narrowed to; null for other entries. */
  endpoint: AuditEndpointDto | null;
  /** What changed, without secrets. Administrators do not see `account_id`, which may be of another account. */
  details: object;
}

/** A page of the audit log. */
export class AuditEntriesDto {
  entries: AuditEntryDto[];
  next_cursor: string | null;
}
