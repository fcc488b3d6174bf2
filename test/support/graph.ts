import { type ApiKeyChange, addApiKey } from './api-keys.js';
import type { Sql } from './installation.js';
import type { Answer, RequestOptions, Stack } from './stack.js';
import { demoNumber } from './webhooks.js';

/** A program that speaks WhatsApp's own API, with a key of Parley as its token. */
export class GraphProgram {
  private constructor(
    private readonly stack: Stack,
    readonly keyId: string,
    readonly token: string,
  ) {}

  /** With the key of another program. */
  static of(stack: Stack, token: string): GraphProgram {
    return new GraphProgram(stack, '', token);
  }

  /** @param database where it is not the stack's. */
  static async with(
    stack: Stack,
    change: ApiKeyChange = {},
    database: Sql = stack,
  ): Promise<GraphProgram> {
    const { id, key } = await addApiKey(database, change);
    await database.sql('update api_keys set graph_access = true where id = $1', [id]);
    return new GraphProgram(stack, id, key);
  }

  /** `path` is below the version. */
  call(path: string, options: RequestOptions = {}): Promise<Answer> {
    return this.stack.requestAt(`/graph/v23.0${path}`, {
      ...options,
      apiKey: null,
      headers: { authorization: `Bearer ${this.token}`, ...options.headers },
    });
  }

  /** Posts a message of the number. */
  send(body: unknown, headers: Record<string, string> = {}, api = 0): Promise<Answer> {
    const path = `/${demoNumber.phoneNumberId}/messages`;
    return this.call(path, { method: 'POST', body, headers, api });
  }
}

/** A message in the form of WhatsApp's own API. */
export const graphMessage = (to: string, change: Record<string, unknown> = {}) => ({
  messaging_product: 'whatsapp',
  to,
  type: 'text',
  text: { body: 'Hello' },
  ...change,
});

/** A template in that form. */
export const graphTemplate = (to: string, name: string, change: Record<string, unknown> = {}) => ({
  messaging_product: 'whatsapp',
  to,
  type: 'template',
  template: { name, language: { code: 'en_US' } },
  ...change,
});
