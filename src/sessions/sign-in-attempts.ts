import { SetMetadata } from '@nestjs/common';
import { addressBlock } from '../auth/address-block.js';
import { RawBody } from '../http/server/raw-body.js';
import { readJsonBody } from '../http/validation/json-body.js';
import { comparedAddress } from '../users/user-rules.js';

export const limitsSignInKey = 'limits-sign-in';

/** Attempts to sign in are limited on this route, by address and by address and email. */
export const LimitSignIn = () => SetMetadata(limitsSignInKey, true);

/** The counters of an attempt to sign in, by the name of its limit. */
export function signInCounters(address: string, email: string) {
  const block = addressBlock(address);
  return {
    address: `sign-in:${block}`,
    user: `sign-in:${block}:${comparedAddress(email)}`,
  };
}

/**
 * The email address in a body that is not validated yet: limits come before validation. Bodies
 * that cannot be read share one counter.
 */
export function emailIn(rawBody: unknown): string {
  if (!(rawBody instanceof RawBody)) return '';
  try {
    const { value } = readJsonBody(rawBody);
    const email = 'email' in value ? value.email : '';
    // PostgreSQL takes no NUL; validation will refuse it.
    return typeof email === 'string' && !email.includes('\0') ? email.slice(0, 320) : '';
  } catch {
    return '';
  }
}
