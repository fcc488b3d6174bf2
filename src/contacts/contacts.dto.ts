import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';
import { IsPhoneNumber } from '../http/rules.js';
import { IsUserId } from './user-id.rule.js';

const toInteger = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value,
);

const limitRule = { message: 'must be a whole number from 1 to 100' };

/** Which contacts to list; newest first. */
export class ContactListDto {
  /** The number in E.164 form. */
  @IsOptional()
  @IsPhoneNumber()
  phone?: string;

  /** A user id, also one that WhatsApp has replaced since, or a parent id. */
  @IsOptional()
  @IsUserId()
  user_id?: string;

  /** 1 to 100; default 20. */
  @toInteger
  @IsInt(limitRule)
  @Min(1, limitRule)
  @Max(100, limitRule)
  limit = 20;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @IsUUID('7', { message: 'must be the next_cursor of an earlier answer' })
  cursor?: string;
}

/** A user of WhatsApp. */
export class ContactDto {
  /** UUID. */
  contact_id: string;
  /** E.164; null if the user hides it. */
  phone: string | null;
  /** The business-scoped user id; null until WhatsApp has told it. */
  user_id: string | null;
  /** The user's id for all businesses of your portfolio; null without one. */
  parent_user_id: string | null;
  username: string | null;
  /** The name of the profile. */
  name: string | null;
  /** ISO 3166-1 code of the country, as the user id has it; null without one. */
  country: string | null;
  /** When the user last wrote, by WhatsApp's time; null if they never did. */
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
