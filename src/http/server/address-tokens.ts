import type { IncomingMessage } from 'node:http';

/** Where programs may give tokens in the address, as WhatsApp's own API takes them. */
const prefix = '/graph/';

const tokenNames = ['access_token', 'input_token', 'appsecret_proof'] as const;

/** The tokens that the address of a request had; the last one counts. */
export type AddressTokens = Partial<Record<(typeof tokenNames)[number], string>>;

const tokens = new WeakMap<IncomingMessage, AddressTokens>();

/** The tokens that were in the address of a request. */
export function tokensOf(request: IncomingMessage): AddressTokens {
  return tokens.get(request) ?? {};
}

/**
 * The address of a request without the tokens in it. Nothing else reads the address before, so that no log, trace or
 * metric has them.
 */
export function withoutTokens(request: IncomingMessage & { originalUrl?: string }): string {
  const { url = '/' } = request;
  const start = url.indexOf('?');
  if (start === -1 || !isOfPrefix(url.slice(0, start))) return url;
  const found: AddressTokens = {};
  const kept = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => {
      const [name, value] = nameAndValue(pair);
      const token = tokenNames.find((each) => each === name.toLowerCase());
      if (token !== undefined) found[token] = value;
      return token === undefined;
    });
  tokens.set(request, found);
  const clean = [url.slice(0, start), kept.join('&')].filter(Boolean).join('?');
  request.url = clean;
  // Fastify keeps the address as it came.
  request.originalUrl = clean;
  return clean;
}

/** Routes are found by the decoded path. */
function isOfPrefix(path: string): boolean {
  return path.startsWith(prefix) || (path.includes('%') && decoded(path).startsWith(prefix));
}

function nameAndValue(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  return at === -1
    ? [decoded(pair), '']
    : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1).replaceAll('+', ' '))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
