import { IsOptional } from 'class-validator';
import { PageDto } from '../http/validation/page.dto.js';
import { IsPhoneNumber, RequiredWithout } from '../http/validation/rules.js';
import { IsUserId } from './user-id.rule.js';

/** Which contacts to list; newest first. */
export class ContactListDto extends PageDto {
  /** The number in E.164 form. */
  @IsOptional()
  @IsPhoneNumber()
  phone?: string;

  /** A user id or a parent id, including one that WhatsApp has since replaced. */
  @IsOptional()
  @IsUserId()
  user_id?: string;
}

/** A user of WhatsApp. */
export class ContactDto {
  /** UUID. */
  contact_id: string;
  /** E.164; null if the user hides it. */
  phone: string | null;
  /** The business-scoped user id; null until WhatsApp has reported it. */
  user_id: string | null;
  /** The user's id for all businesses of your portfolio; null without one. */
  parent_user_id: string | null;
  username: string | null;
  /** The name of the profile. */
  name: string | null;
  /** ISO 3166-1 code of the country, as the user id has it; null without one. */
  country: string | null;
  /** When the user last wrote or called, by WhatsApp's time; null if they never did. */
  last_inbound_at: Date | null;
}

/** One contact. */
export class ContactAnswerDto {
  contact: ContactDto;
}

/** A page of contacts, newest first. */
export class ContactsDto {
  contacts: ContactDto[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** A user of WhatsApp, by number or user id; with both, the one who has the number. */
export class UserIdsDto {
  /** The number in E.164 form. Required without `user_id`. */
  @RequiredWithout('user_id')
  @IsPhoneNumber()
  phone?: string | null;

  /** A user id, including one that WhatsApp has since replaced. */
  @IsOptional()
  @IsUserId()
  user_id?: string | null;
}

/** The 24-hour window of a user. */
export class ContactWindowDto {
  /** `open`, `closed` or `unknown`. */
  state: 'open' | 'closed' | 'unknown';
  /** When it closes, or closed; null if no message and no call of the user is known. */
  expires_at: Date | null;
  /** When the user last wrote or called, by WhatsApp's time; null if neither is known. */
  last_inbound_at: Date | null;
}
