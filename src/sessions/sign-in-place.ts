import type { Request } from '../http/request.js';
import type { SignInPlace } from '../users/sessions.js';

/** Where a request that begins a session comes from. */
export const placeOf = (request: Request): SignInPlace => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? null,
});
