import { IsIn, ValidateIf } from 'class-validator';
import {
  IsFlag,
  IsListOfValues,
  IsObjectOf,
  IsText,
  IsWholeNumber,
  isGiven,
} from '../http/validation/rules.js';
import { IsDisplayPhoneNumber, IsPlatformId, IsPlatformSecret } from './account-rules.js';
import { keywordsMax } from './default-keywords.js';
import { AccountHealthDto } from './health/health.dto.js';
import { keywordMaxLength, keywordOf } from './keywords.js';
import { AccountLimitsChangeDto, type AccountLimitsDto } from './limits/account-limits.dto.js';

const paceMax = 10_000;

const keywordFault = (value: unknown) =>
  typeof value === 'string' && keywordOf(value) !== null
    ? null
    : `must be a word of at most ${keywordMaxLength} characters`;

/** Words by which users opt out and in. A message counts if it is such a word and nothing else. */
export class AccountKeywordsDto {
  /** At most 100. Case, accents, and blanks and punctuation around it do not matter. */
  @IsListOfValues(0, keywordsMax, keywordFault)
  out: string[];

  /** At most 100. */
  @IsListOfValues(0, keywordsMax, keywordFault)
  in: string[];
}

/** A new account: one WhatsApp business account with one number. */
export class NewAccountDto {
  /** 1 to 100 characters; unique. */
  @IsText(100)
  name: string;

  /** The platform's id of the number. */
  @IsPlatformId()
  phone_number_id: string;

  /** The platform's id of the WhatsApp business account. */
  @IsPlatformId()
  business_account_id: string;

  /** The number as people write it. */
  @IsDisplayPhoneNumber()
  display_phone_number: string;

  /** Write-only: it is stored encrypted and never shown. */
  @IsPlatformSecret()
  access_token: string;

  /** Write-only; Parley verifies the platform's notifications with it. */
  @IsPlatformSecret()
  app_secret: string;

  /** Default: true. Keys of an inactive account get ACCOUNT_NOT_ACTIVE. */
  @ValidateIf((account: NewAccountDto) => isGiven(account.active))
  @IsFlag()
  active?: boolean | null;

  /** How many messages a second the number may send: 1 to 10,000, null without limit; default 80. */
  @ValidateIf((account: NewAccountDto) => isGiven(account.messages_per_second))
  @IsWholeNumber(1, paceMax)
  messages_per_second?: number | null;

  /** Words by which users opt out and in; null: none. Default: stop, cancel and others, in eleven languages; start, unstop. */
  @ValidateIf((account: NewAccountDto) => isGiven(account.keywords))
  @IsObjectOf(() => AccountKeywordsDto)
  keywords?: AccountKeywordsDto | null;

  /** What these words are about: `marketing` (default), or `all` templates but one-time codes. */
  @ValidateIf((account: NewAccountDto) => isGiven(account.keyword_scope))
  @IsIn(['marketing', 'all'], { message: 'must be one of marketing, all' })
  keyword_scope?: 'marketing' | 'all' | null;

  /** Default: 100 keys, 100 endpoints, no limit for the settings of each key. */
  @ValidateIf((account: NewAccountDto) => isGiven(account.limits))
  @IsObjectOf(() => AccountLimitsChangeDto)
  limits?: AccountLimitsChangeDto | null;
}

const isPresent = (field: keyof AccountChangeDto) => (account: AccountChangeDto) =>
  account[field] !== undefined;

/** A change of an account; absent fields stay as they are. */
export class AccountChangeDto {
  /** 1 to 100 characters; unique. */
  @ValidateIf(isPresent('name'))
  @IsText(100)
  name?: string;

  @ValidateIf(isPresent('phone_number_id'))
  @IsPlatformId()
  phone_number_id?: string;

  @ValidateIf(isPresent('business_account_id'))
  @IsPlatformId()
  business_account_id?: string;

  @ValidateIf(isPresent('display_phone_number'))
  @IsDisplayPhoneNumber()
  display_phone_number?: string;

  /** Write-only. */
  @ValidateIf(isPresent('access_token'))
  @IsPlatformSecret()
  access_token?: string;

  /** Write-only. */
  @ValidateIf(isPresent('app_secret'))
  @IsPlatformSecret()
  app_secret?: string;

  @ValidateIf(isPresent('active'))
  @IsFlag()
  active?: boolean;

  /** 1 to 10,000; null: without limit. */
  @ValidateIf((account: AccountChangeDto) => isGiven(account.messages_per_second))
  @IsWholeNumber(1, paceMax)
  messages_per_second?: number | null;

  /** Words by which users opt out and in; null: none. Default: stop, cancel and others, in eleven languages; start, unstop. */
  @ValidateIf((account: AccountChangeDto) => isGiven(account.keywords))
  @IsObjectOf(() => AccountKeywordsDto)
  keywords?: AccountKeywordsDto | null;

  /** What these words are about: `marketing` (default), or `all` templates but one-time codes. */
  @ValidateIf((account: AccountChangeDto) => isGiven(account.keyword_scope))
  @IsIn(['marketing', 'all'], { message: 'must be one of marketing, all' })
  keyword_scope?: 'marketing' | 'all' | null;

  /** Lower limits leave what the account has; they refuse more of it. */
  @ValidateIf(isPresent('limits'))
  @IsObjectOf(() => AccountLimitsChangeDto)
  limits?: AccountLimitsChangeDto;
}

/** An account. Its token and app secret are never shown. */
export class AccountDto {
  id: string;
  name: string;
  phone_number_id: string;
  business_account_id: string;
  display_phone_number: string;
  active: boolean;
  /** How many messages a second the number may send; null: without limit. */
  messages_per_second: number | null;
  /** Words by which users opt out and in; null: none. */
  keywords: AccountKeywordsDto | null;
  keyword_scope: 'marketing' | 'all';
  limits: AccountLimitsDto;
  /** `paused`: the platform refuses everything from the number; `throttled`: the number sends too fast; or null. */
  hold_kind: 'paused' | 'throttled' | null;
  /** The platform's code that led to the hold. */
  hold_code: number | null;
  hold_reason: string | null;
  /** When the number is tried again. ISO 8601. */
  hold_until: Date | null;
  /** When token, number and callback first held at one check; null: not verified. It sends all the same. */
  verified_at: Date | null;
  /** The platform's latest event on the number's quality, such as `FLAGGED` or `UNFLAGGED`; null: none yet. */
  quality_event: string | null;
  /** When that was, by the platform's clock. ISO 8601. */
  quality_at: Date | null;
  /** How many people the number may write to first in 24 hours, such as `TIER_2K`; null: not reported yet. */
  messaging_limit: string | null;
  /** When the last webhook of the platform for the account arrived, to a minute; null: none yet. ISO 8601. */
  last_webhook_at: Date | null;
  /** What WhatsApp last said of the number and the token, read every 15 minutes; null: not read yet. */
  health: AccountHealthDto | null;
  created_at: Date;
  updated_at: Date;
}

/** All accounts. */
export class AccountsDto {
  accounts: AccountDto[];
}

/** One account. */
export class AccountAnswerDto {
  account: AccountDto;
}

/** What is wrong with an entity that a message passes through. */
export class NumberEntityErrorDto {
  code: string | null;
  description: string | null;
  solution: string | null;
}

/** An entity that a message passes through: the number, the account, the business or the app. */
export class NumberEntityDto {
  type: string | null;
  id: string | null;
  can_send_message: string | null;
  errors: NumberEntityErrorDto[];
}

/** What the platform reports about a number; null for anything it does not report. */
export class NumberHealthDto {
  display_phone_number: string | null;
  verified_name: string | null;
  status: string | null;
  name_status: string | null;
  quality_rating: string | null;
  throughput_level: string | null;
  messaging_limit: string | null;
  /** `AVAILABLE`, `LIMITED` or `BLOCKED`. */
  can_send_message: string | null;
  /** The entities that a message passes through, each with its own health. */
  entities: NumberEntityDto[];
}

/** Why the platform gave no answer. */
export class NumberCheckErrorDto {
  /** `refused`, or what prevented an answer. */
  reason: string;
  message: string;
  whatsapp_error_code: number | null;
}

/** The outcome of a check: the number's health, or why it cannot be read. */
export class NumberCheckDto {
  ok: boolean;
  health: NumberHealthDto | null;
  error: NumberCheckErrorDto | null;
}
