import { IsOptional, Matches } from 'class-validator';
import { AnswerableDto } from '../../free-form/free-form.dto.js';
import { IsListOf, IsObjectOf, IsText } from '../../http/validation/rules.js';

/** A text of a contact card, at most 1,000 characters. */
const IsPart = () => IsText(1_000);

/** How many phones, addresses and so on one card may have. */
const partsMax = 20;

/** How a person is called. */
export class CardNameDto {
  /** The whole name, as it is shown. */
  @IsPart()
  formatted_name: string;

  @IsOptional()
  @IsPart()
  first_name?: string | null;

  @IsOptional()
  @IsPart()
  middle_name?: string | null;

  @IsOptional()
  @IsPart()
  last_name?: string | null;

  @IsOptional()
  @IsPart()
  prefix?: string | null;

  @IsOptional()
  @IsPart()
  suffix?: string | null;
}

/** Where a person works. */
export class CardOrganizationDto {
  @IsOptional()
  @IsPart()
  company?: string | null;

  @IsOptional()
  @IsPart()
  department?: string | null;

  @IsOptional()
  @IsPart()
  title?: string | null;
}

/** A phone number. */
export class CardPhoneDto {
  @IsOptional()
  @IsPart()
  phone?: string | null;

  /** Such as HOME, WORK or CELL. */
  @IsOptional()
  @IsPart()
  type?: string | null;

  /** The number at WhatsApp, digits alone: the card then has a button to write to it. */
  @IsOptional()
  @IsPart()
  wa_id?: string | null;
}

/** An email address. */
export class CardEmailDto {
  @IsOptional()
  @IsPart()
  email?: string | null;

  /** Such as HOME or WORK. */
  @IsOptional()
  @IsPart()
  type?: string | null;
}

/** A page. */
export class CardUrlDto {
  @IsOptional()
  @IsPart()
  url?: string | null;

  /** Such as HOME or WORK. */
  @IsOptional()
  @IsPart()
  type?: string | null;
}

/** A postal address. */
export class CardAddressDto {
  @IsOptional()
  @IsPart()
  street?: string | null;

  @IsOptional()
  @IsPart()
  city?: string | null;

  @IsOptional()
  @IsPart()
  state?: string | null;

  @IsOptional()
  @IsPart()
  zip?: string | null;

  @IsOptional()
  @IsPart()
  country?: string | null;

  /** Two letters, such as GB. */
  @IsOptional()
  @IsPart()
  country_code?: string | null;

  /** Such as HOME or WORK. */
  @IsOptional()
  @IsPart()
  type?: string | null;
}

/** A contact card, in WhatsApp's form. */
export class ContactCardDto {
  @IsObjectOf(() => CardNameDto)
  name: CardNameDto;

  /** YYYY-MM-DD. */
  @IsOptional()
  @Matches(/^\d{4}-\d\d-\d\d$/, { message: 'must be a day such as 1999-01-23' })
  birthday?: string | null;

  @IsOptional()
  @IsObjectOf(() => CardOrganizationDto)
  org?: CardOrganizationDto | null;

  /** At most 20. */
  @IsOptional()
  @IsListOf(0, partsMax, () => CardPhoneDto)
  phones?: CardPhoneDto[] | null;

  /** At most 20. */
  @IsOptional()
  @IsListOf(0, partsMax, () => CardEmailDto)
  emails?: CardEmailDto[] | null;

  /** At most 20. */
  @IsOptional()
  @IsListOf(0, partsMax, () => CardUrlDto)
  urls?: CardUrlDto[] | null;

  /** At most 20. */
  @IsOptional()
  @IsListOf(0, partsMax, () => CardAddressDto)
  addresses?: CardAddressDto[] | null;
}

/** Contact cards. */
export class ContactsMessageDto extends AnswerableDto {
  /** 1 to 257 contact cards. */
  @IsListOf(1, 257, () => ContactCardDto)
  contacts: ContactCardDto[];
}
