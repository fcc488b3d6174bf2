import type { Reply, Request } from '../http/request.js';
import { sessionHours } from '../users/sessions.js';

/** The name of the session's cookie. */
export const sessionCookieName = 'parley_session';

/** The session id that a request brings, or null. */
export function readSessionCookie(request: Request): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=', 2);
    if (name === sessionCookieName && value && /^[\w-]{43}$/.test(value)) return value;
  }
  return null;
}

/** Gives the browser a session, or takes it away. */
export function writeSessionCookie(reply: Reply, id: string | null, isSecure: boolean): void {
  const seconds = id === null ? 0 : sessionHours * 3_600;
  const secure = isSecure ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${sessionCookieName}=${id ?? ''}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${secure}`,
  );
}
