import type { EntityManager } from 'typeorm';
import { AppError } from '../../errors/app-error.js';
import type { AccountEntity } from '../account.entity.js';
import type { AccountLimitsChangeDto, AccountLimitsDto } from './account-limits.dto.js';
import * as sql from './account-limits.statements.js';

type Limit = keyof AccountLimitsDto;

/** The limits of an account as the API names them. */
export function limitsOf(account: AccountEntity): AccountLimitsDto {
  return {
    keys: account.keysMax,
    endpoints: account.endpointsMax,
    rate_limit_per_minute: account.ratePerMinuteMax,
    daily_limit: account.dailyLimitMax,
  };
}

/** The columns that given limits set; absent ones set none. */
export function columnsOfLimits(given: AccountLimitsChangeDto = {}): Partial<AccountEntity> {
  const { keys, endpoints, rate_limit_per_minute: perMinute, daily_limit: perDay } = given;
  return {
    ...(keys !== undefined && { keysMax: keys }),
    ...(endpoints !== undefined && { endpointsMax: endpoints }),
    ...(perMinute !== undefined && { ratePerMinuteMax: perMinute }),
    ...(perDay !== undefined && { dailyLimitMax: perDay }),
  };
}

/**
 * Keeps anybody else from using up or changing the limits of an account until the transaction ends. Count what the
 * account has only afterwards, and lock a key before this, not after it.
 */
export async function lockLimits(
  manager: EntityManager,
  accountId: string,
): Promise<AccountLimitsDto> {
  const limits = await sql.lockLimits.row(manager, { accountId });
  if (!limits) throw new Error(`account ${accountId} is gone`);
  return limits;
}

const counted = {
  keys: { what: 'keys that are not revoked', remedy: 'Revoke or delete one' },
  endpoints: {
    what: 'webhooks with an address',
    remedy: 'Delete one, or a revoked key that still has one',
  },
} as const;

/** Refuses one more of what an account has `present` of. @throws AppError ACCOUNT_LIMIT */
export function refuseOneMore(
  limit: keyof typeof counted,
  { [limit]: max }: AccountLimitsDto,
  present: number,
): void {
  if (max === null || present < max) return;
  const { what, remedy } = counted[limit];
  throw refusal(limit, max, `The account has ${present} of at most ${max} ${what}. ${remedy}`);
}

/**
 * Refuses a setting of a key that is above the limit of its account.
 * @param present what the key has, which it may keep; 0 for a new key.
 * @throws AppError ACCOUNT_LIMIT
 */
export function refuseIncrease(
  limit: Exclude<Limit, keyof typeof counted>,
  { [limit]: max }: AccountLimitsDto,
  wanted: number,
  present: number,
): void {
  if (max === null || wanted <= max || wanted <= present) return;
  const text = `${limit} would be ${wanted}; a key of this account may have at most ${max}. Set it lower`;
  throw refusal(limit, max, text);
}

const refusal = (limit: Limit, max: number, text: string) =>
  new AppError('ACCOUNT_LIMIT', {
    message: `${text}, or ask an operator to raise the limit of the account.`,
    details: { limit, max },
  });
