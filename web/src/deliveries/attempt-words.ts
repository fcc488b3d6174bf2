import type { Delivery, DeliveryAttempt } from '../api/types.ts';

const errors: Readonly<Record<string, string>> = {
  timeout: 'No answer within 15 s',
  dns: 'The name of the host could not be found',
  connect: 'No connection could be made',
  tls: 'The certificate was not accepted',
  reset: 'The connection broke off before an answer',
  url: 'The address is not one that can be posted to',
  blocked_address: 'The host is at a private address; WEBHOOK_ALLOW_PRIVATE is off',
  endpoint_off: 'The endpoint is switched off; enable it, then recover what it missed',
  key_revoked: 'The key is revoked',
  no_endpoint: 'The key has no webhook any more',
};

/** Why an attempt has no answer, or why none was made; null where the answer says it. */
export function errorText(error: DeliveryAttempt['error']): string | null {
  return error === null ? null : (errors[error] ?? null);
}

export const lastAttempt = (delivery: Delivery) => delivery.attempts.at(-1);

export const triesOf = (count: number) => `${count} ${count === 1 ? 'try' : 'tries'}`;
