import type { IncomingMessage } from 'node:http';

/** Programs may give tokens in the address, as WhatsApp's own API takes them. */
const tokenNames = ['access_token', 'input_token', 'appsecret_proof'] as const;

/** The tokens that the address of a request had; the last one counts. */
export type AddressTokens = Partial<Record<(typeof tokenNames)[number], string>>;

const tokens = new WeakMap<IncomingMessage, AddressTokens>();

/** The tokens that were in the address of a request. */
export function tokensOf(request: IncomingMessage): AddressTokens {
  return tokens.get(request) ?? {};
}

/** The scheme and the host of an address that was sent with them, as proxies do. */
const originForm = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** What may stand between the parameters of an address. The router takes `#` as it takes `?`. */
const separators = /[?#&;]/;

/** The token that a program speaks with, as WhatsApp's own API takes it: the header goes before the address. */
export function bearerOf(request: IncomingMessage): string | undefined {
  const { authorization = '' } = request.headers;
  return /^bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? tokensOf(request).access_token;
}

/**
 * The address of a request without the tokens in it. Nothing else reads the address before, so that no log, trace or
 * metric has them.
 */
export function withoutTokens(request: IncomingMessage & { originalUrl?: string }): string {
  const { url = '/' } = request;
  // Most addresses are of other routes.
  if (!/graph|%/i.test(url)) return url;
  const relative = url.replace(originForm, '');
  const start = relative.search(/[?#]/);
  const path = start === -1 ? relative : relative.slice(0, start);
  if (!isOfPrefix(path)) return url;
  const found: AddressTokens = {};
  const query = start === -1 ? '' : keptOf(relative.slice(start + 1), found);
  tokens.set(request, found);
  const clean = [plainPrefix(path), query].filter(Boolean).join('?');
  request.url = clean;
  // Fastify keeps the address as it came.
  request.originalUrl = clean;
  return clean;
}

/** The parameters that are no tokens, as they came. */
function keptOf(query: string, found: AddressTokens): string {
  let kept = '';
  for (let rest = query, separator = ''; ; ) {
    const end = rest.search(separators);
    const pair = end === -1 ? rest : rest.slice(0, end);
    const [name, value] = nameAndValue(pair);
    const token = tokenNames.find((each) => each === name.toLowerCase());
    if (token !== undefined) found[token] = value;
    else kept += kept === '' ? pair : separator + pair;
    if (end === -1) return kept;
    separator = rest.charAt(end);
    rest = rest.slice(end + 1);
  }
}

/** Whether it leads to the routes, or looks as if it was meant to: a token in it is a secret in any case. */
function isOfPrefix(path: string): boolean {
  const plain = path.replaceAll(/%2f/gi, '/').split('/').map(decoded).join('/');
  return /^\/+graph(?:\/|$)/i.test(plain);
}

/** Routes are found by the decoded path; everything else compares its beginning. */
function plainPrefix(path: string): string {
  const [, first = ''] = path.split('/', 2);
  return first.includes('%') && decoded(first) === 'graph'
    ? `/graph${path.slice(first.length + 1)}`
    : path;
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
