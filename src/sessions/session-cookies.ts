import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyPepper } from '../api-keys/key-pepper.js';
import { Config } from '../config/config.js';
import type { Reply, Request } from '../http/request.js';
import { sessionHours } from '../users/sessions.js';

/** What the name of the session's cookie begins with; eight characters of the installation follow. */
export const sessionCookieName = 'parley_session';

const idForm = /^[\w-]{43}$/;

/**
 * The cookie of a session. Browsers do not tell the ports of one host apart, so each installation has a name of
 * its own, the same in all of its processes. On https the name keeps subdomains from planting one.
 */
@Injectable()
export class SessionCookies {
  private name: string | null = null;

  constructor(
    private readonly config: Config,
    private readonly pepper: KeyPepper,
  ) {}

  /** The session id that a request brings, or null. */
  async read(request: Request): Promise<string | null> {
    const { cookie } = request.headers;
    if (cookie === undefined) return null;
    const wanted = await this.getName();
    for (const part of cookie.split(';')) {
      const [name, value = ''] = part.trim().split('=', 2);
      if (name === wanted && idForm.test(value)) return value;
    }
    return null;
  }

  /** Sets the session cookie in the browser, or removes it. */
  async write(reply: Reply, id: string | null): Promise<void> {
    const seconds = id === null ? 0 : sessionHours * 3_600;
    const name = await this.getName();
    reply.header(
      'set-cookie',
      `${name}=${id ?? ''}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${this.config.isHttps ? '; Secure' : ''}`,
    );
  }

  private async getName(): Promise<string> {
    this.name ??= await this.makeName();
    return this.name;
  }

  private async makeName(): Promise<string> {
    const mac = createHmac('sha256', await this.pepper.get()).update(sessionCookieName);
    return `${this.config.isHttps ? '__Host-' : ''}${sessionCookieName}_${mac.digest('hex').slice(0, 8)}`;
  }
}
