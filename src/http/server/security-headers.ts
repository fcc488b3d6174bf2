/**
 * Headers of every answer unless its route says otherwise: an answer is data, not a page, has exactly
 * the type that it declares, and is not cached.
 */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** For a year; only ever sent where the public address is https. */
export const transportSecurity = 'max-age=31536000; includeSubDomains';
