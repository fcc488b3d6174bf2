import { IsIn, IsOptional } from 'class-validator';
import {
  type ConsentScope,
  type ConsentState,
  consentScopes,
  consentStates,
} from '../contacts/consent.js';
import { UserIdsDto } from '../contacts/contacts.dto.js';
import { ItemsHaveOwnAnswers } from '../http/validation/body.pipe.js';
import { IsListOfValues, IsText } from '../http/validation/rules.js';

/** What a user of WhatsApp said about messages. */
export class NewConsentDto extends UserIdsDto {
  /** `marketing`, or `all`: every template but one-time codes. */
  @IsIn(consentScopes, { message: `must be one of ${consentScopes.join(', ')}` })
  scope: ConsentScope;

  /** `opted_in` or `opted_out`. */
  @IsIn(consentStates, { message: `must be one of ${consentStates.join(', ')}` })
  state: ConsentState;

  /** Where it comes from. At most 100 characters; default: `api`. */
  @IsOptional()
  @IsText(100)
  source?: string | null;

  /** What proves it, such as a form's address. At most 500 characters. */
  @IsOptional()
  @IsText(500)
  evidence?: string | null;
}

const objectFault = (item: unknown) =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? null : 'must be an object';

/** Consents from another system. */
export class ConsentImportDto {
  /** 1 to 1,000, each with the fields of `PUT /contacts/consent`. Each is checked by itself. */
  @ItemsHaveOwnAnswers()
  @IsListOfValues(1, 1_000, objectFault)
  items: object[];
}

/** What counts in one scope. */
export class ConsentNowDto {
  /** `opted_in`, `opted_out`, or null if nothing was said. */
  state: ConsentState | null;
  /** Since when it is so; null if nothing was said. */
  since: Date | null;
  /** Where the last word comes from: `api`, or what the request named. */
  source: string | null;
}

/** One thing that was said. */
export class ConsentEntryDto {
  scope: ConsentScope;
  state: ConsentState;
  source: string;
  evidence: string | null;
  /** When it was said. */
  at: Date;
  /** When Parley recorded it. */
  recorded_at: Date;
}

/** What a user wants to get. */
export class ConsentsDto {
  /** UUID; null if the contact is not known. */
  contact_id: string | null;
  marketing: ConsentNowDto;
  all: ConsentNowDto;
  /** Everything that was said, the last word first; at most 100 entries. */
  history: ConsentEntryDto[];
}

/** What became of one item. */
export class ConsentResultDto {
  /** Its place in `items`, from 0. */
  index: number;
  /** `unchanged`: the same was said last, by the same source with the same evidence. */
  status: 'stored' | 'unchanged' | 'invalid';
  /** What is wrong, by field; only if it is invalid. */
  error?: Record<string, string>;
}

/** What became of an import. */
export class ConsentImportedDto {
  results: ConsentResultDto[];
}
