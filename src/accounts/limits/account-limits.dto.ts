import { ValidateIf } from 'class-validator';
import { IsWholeNumber, isGiven } from '../../http/validation/rules.js';

const limitMax = 1_000_000_000;

const whenGiven = (field: keyof AccountLimitsChangeDto) =>
  ValidateIf((limits: AccountLimitsChangeDto) => isGiven(limits[field]));

/** What operators set of the limits of an account; absent fields stay as they are, null: no limit. */
export class AccountLimitsChangeDto {
  /** 0 to 1,000,000,000. */
  @whenGiven('keys')
  @IsWholeNumber(0, limitMax)
  keys?: number | null;

  /** 0 to 1,000,000,000. */
  @whenGiven('endpoints')
  @IsWholeNumber(0, limitMax)
  endpoints?: number | null;

  /** 1 to 1,000,000,000. */
  @whenGiven('rate_limit_per_minute')
  @IsWholeNumber(1, limitMax)
  rate_limit_per_minute?: number | null;

  /** 1 to 1,000,000,000. */
  @whenGiven('daily_limit')
  @IsWholeNumber(1, limitMax)
  daily_limit?: number | null;
}

/** How much an account may have; null: no limit. Whatever exceeds a limit that was lowered stays. */
export class AccountLimitsDto {
  /** Keys that are not revoked; suspended, expired and inactive ones count. */
  keys: number | null;
  /** Webhooks with an address, those that `webhook_url` of keys sets included. */
  endpoints: number | null;
  /** How high `rate_limit_per_minute` of each key may be. */
  rate_limit_per_minute: number | null;
  /** How high `daily_limit` of each key may be. */
  daily_limit: number | null;
}
