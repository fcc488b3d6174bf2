import { installation } from './installation.js';
import type { Answer, Stack } from './stack.js';

/** The dashboard's REST as somebody who is signed in sees it. */
export class Dashboard {
  private constructor(
    private readonly stack: Stack,
    /** What a browser would send. */
    readonly cookie: string,
  ) {}

  /** Signs in; default: the operator of the installation. */
  static async signIn(
    stack: Stack,
    email = installation.adminEmail,
    password = installation.adminPassword,
  ): Promise<Dashboard> {
    const answer = await stack.requestAt('/api/v1/dashboard/session', {
      apiKey: null,
      body: { email, password },
    });
    if (answer.status !== 200) throw new Error(`could not sign in: ${answer.text}`);
    return new Dashboard(stack, answer.headers.get('set-cookie')?.split(';')[0] ?? '');
  }

  /** `path` is below `/api/v1/dashboard`. */
  request(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.stack.requestAt(`/api/v1/dashboard${path}`, {
      apiKey: null,
      method,
      headers: { cookie: this.cookie },
      ...(body !== undefined && { body }),
    });
  }

  /** Makes a request that must succeed, and answers its data. */
  async data(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.request(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.data;
  }
}
