import { randomUUID } from 'node:crypto';
import { addAccount } from './api-keys.js';
import { installation } from './installation.js';
import type { Answer, Stack } from './stack.js';

/** Options of a request to the dashboard. */
export interface DashboardRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Which of the API processes; default the first. */
  readonly api?: number;
}

/** A password that is long enough. */
export const password = 'twelve characters and more';

/** A user of the dashboard, signed in or not. */
export class Dashboard {
  constructor(
    private readonly stack: Stack,
    public cookie: string | null = null,
  ) {}

  /** Signs in; by default the installation's operator. */
  static async signIn(
    stack: Stack,
    email = installation.adminEmail,
    secret = installation.adminPassword,
  ): Promise<Dashboard> {
    const dashboard = new Dashboard(stack);
    const answer = await dashboard.call('POST', '/session', { email, password: secret });
    if (answer.status !== 200) throw new Error(`could not sign in: ${answer.text}`);
    return dashboard;
  }

  /** Makes an administrator of an account and signs in. */
  static administratorOf(stack: Stack, operator: Dashboard, accountId: string): Promise<Dashboard> {
    return Dashboard.of(stack, operator, { role: 'administrator', account_id: accountId });
  }

  /** Makes somebody who reads an account and signs in. */
  static viewerOf(stack: Stack, operator: Dashboard, accountId: string): Promise<Dashboard> {
    return Dashboard.of(stack, operator, { role: 'viewer', account_id: accountId });
  }

  private static async of(
    stack: Stack,
    operator: Dashboard,
    change: Record<string, unknown>,
  ): Promise<Dashboard> {
    const { user } = await operator.get('POST', '/users', newUser(change));
    return Dashboard.signIn(stack, user.email, password);
  }

  /** `path` is below `/api/v1/dashboard`. Keeps the cookie of the answer, as browsers do. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    options: DashboardRequest = {},
  ): Promise<Answer> {
    const answer = await this.stack.requestAt(`/api/v1/dashboard${path}`, {
      apiKey: null,
      method,
      body,
      api: options.api,
      headers: { ...(this.cookie && { Cookie: this.cookie }), ...options.headers },
    });
    const given = answer.headers.get('set-cookie')?.split(';')[0];
    if (given !== undefined) this.cookie = given.endsWith('=') ? null : given;
    return answer;
  }

  /** The data of an answer that must be a success. */
  async get(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.call(method, path, body);
    if (answer.status !== 200)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body.data;
  }

  /** Makes an API key. */
  newKey(
    change: Record<string, unknown> = {},
  ): Promise<{ api_key: any; key: string; [secret: string]: any }> {
    return this.get('POST', '/api-keys', newKey(change));
  }
}

/** A valid key with a unique name. */
export function newKey(change: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: `key ${randomUUID()}`, permissions: ['send_text', 'view_messages'], ...change };
}

/** A valid user. */
export function newUser(change: Record<string, unknown> = {}): Record<string, unknown> {
  return { email: `${randomUUID()}@parley.test`, password, role: 'operator', ...change };
}

/** A valid account. */
export function newAccount(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: `account ${randomUUID()}`,
    phone_number_id: '300000000000003',
    business_account_id: '400000000000004',
    display_phone_number: '+1 555 078 3000',
    access_token: 'access-token-of-the-tests',
    app_secret: 'app-secret-of-the-tests',
    ...change,
  };
}

/** A second account with an administrator of its own. */
export async function neighbour(stack: Stack, operator: Dashboard) {
  const accountId = await addAccount(stack);
  return { accountId, administrator: await Dashboard.administratorOf(stack, operator, accountId) };
}

/** An answer without the parts that always differ, to compare it with others. */
export function comparable({ status, text }: Answer): string {
  return `${status} ${text.replace(/"request_id":"[^"]*"/, '"request_id":""')}`;
}
