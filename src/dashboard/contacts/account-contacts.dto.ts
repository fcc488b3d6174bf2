import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsMode, type Mode } from '../../access/mode.js';
import type { ConsentsDto } from '../../consents/consents.dto.js';
import {
  type ConsentScope,
  type ConsentState,
  consentScopes,
  consentStates,
} from '../../contacts/consent.js';
import { writerCursor } from '../../contacts/contact-reads.js';
import { ContactDto, type ContactWindowDto, UserIdsDto } from '../../contacts/contacts.dto.js';
import { IsLimit } from '../../http/validation/page.dto.js';
import { IsIdOf, IsText } from '../../http/validation/rules.js';
import type { DashboardMessageDto } from '../../messages/reads/account-messages.dto.js';

/** Which contacts to list. */
export class DashboardContactListDto {
  /** 1 to 100; default 20. */
  @IsLimit(100)
  limit = 20;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @Matches(writerCursor, { message: 'must be the next_cursor of an earlier answer' })
  cursor?: string;

  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;

  @IsOptional()
  @IsMode()
  mode?: Mode;

  /**
   * A text as people type it: a phone number in any notation or its last four digits, the beginning of a name or a
   * username, a user id of now or before.
   */
  @IsOptional()
  @IsText(150)
  search?: string;

  /** `marketing`: those who get no marketing, whatever else they get; `all`: those who get no template. */
  @IsOptional()
  @IsIn(consentScopes, { message: `must be one of ${consentScopes.join(', ')}` })
  opted_out?: ConsentScope;
}

/** A contact as the dashboard lists it. */
export class DashboardContactDto extends ContactDto {
  account_id: string;
  mode: Mode;
  /** What it does not get: `marketing`, or `all` templates but one-time codes; null if nothing is ruled out. */
  opted_out: ConsentScope | null;
  first_seen_at: Date;
}

/** A page of contacts. */
export class DashboardContactsDto {
  contacts: DashboardContactDto[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** A contact with what reaches it. */
export class DashboardContactDetailDto extends DashboardContactDto {
  /** User ids that WhatsApp has replaced. */
  former_user_ids: string[];
  window: ContactWindowDto;
  consents: ConsentsDto;
  /** The latest messages to it, newest first; at most 8. */
  messages: DashboardMessageDto[];
}

/** One contact. */
export class DashboardContactAnswerDto {
  contact: DashboardContactDetailDto;
}

/** What a contact said, told to an administrator. */
export class DashboardConsentDto {
  /** `marketing`, or `all`: every template but one-time codes. */
  @IsIn(consentScopes, { message: `must be one of ${consentScopes.join(', ')}` })
  scope: ConsentScope;

  /** `opted_in` or `opted_out`. */
  @IsIn(consentStates, { message: `must be one of ${consentStates.join(', ')}` })
  state: ConsentState;

  /** What proves it. At most 500 characters. */
  @IsOptional()
  @IsText(500)
  evidence?: string | null;
}

/** Whose window is asked for. */
export class DashboardWindowQueryDto extends UserIdsDto {
  /** Required of operators. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;

  /** Default: live. */
  @IsOptional()
  @IsMode()
  mode?: Mode;
}

/** Whose consents are meant. */
export class ConsentOwnerDto {
  /** Required of operators. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;

  /** Default: live. */
  @IsOptional()
  @IsMode()
  mode?: Mode;
}
