import type { Delivery, DeliveryAttempt } from '../api/types.ts';

const errors: Readonly<Record<string, string>> = {
  timeout: 'No answer within 15 s',
  dns: 'The name of the host could not be found',
  connect: 'The connection could not be made',
  tls: 'The certificate was not accepted',
  reset: 'The connection closed before an answer',
  url: 'The URL cannot be used',
  blocked_address: 'The host is at a private address; WEBHOOK_ALLOW_PRIVATE is off',
  endpoint_off: 'The endpoint is switched off; enable it, then recover what it missed',
  key_revoked: 'The key is revoked',
  permission_missing: 'The key lacks the permission that reading this event needs',
  no_endpoint: 'The key no longer has a webhook',
};

/** Why an attempt has no answer, or why none was made; null where the answer says it. */
export function errorText(error: DeliveryAttempt['error']): string | null {
  return error === null ? null : (errors[error] ?? null);
}

export const lastAttempt = (delivery: Delivery) => delivery.attempts.at(-1);

export const triesOf = (count: number) => `${count} ${count === 1 ? 'try' : 'tries'}`;
