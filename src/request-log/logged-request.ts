import { isIP } from 'node:net';
import type { Mode } from '../access/mode.js';
import { plainAddress } from '../http/address-list.js';
import type { Reply, Request } from '../http/request.js';

/** Where the routes begin whose requests are logged. */
const prefix = '/api/v1/external';

/** The routes in the form of WhatsApp's own API, with the version that is left out of the log. */
const graphForm = /^\/graph(?:\/:version(?:\/:object)?)?(?=\/|$)/;

/** A request, or several without a known key, as it is stored. */
export interface LoggedRequest {
  /** The id of the request without its prefix: a UUIDv7 of the time at which it came. */
  readonly id: string;
  readonly accountId: string | null;
  readonly apiKeyId: string | null;
  readonly mode: Mode | null;
  readonly method: string | null;
  /** The pattern of the route, without what all routes begin with. */
  readonly route: string | null;
  readonly status: number;
  readonly code: string | null;
  /** The names of the fields that are not valid; null where there are none. */
  readonly fields: readonly string[] | null;
  /** Null for a forged header. */
  readonly address: string | null;
  readonly latencyMs: number | null;
  readonly messageId: string | null;
  readonly calls: number;
}

/** Whether a request is one of the external API. */
export function isExternal({ routeOptions, url }: Request): boolean {
  const path = routeOptions.url ?? url;
  return path.startsWith(`${prefix}/`) || path.startsWith('/graph/');
}

/** A request with a known key, once it is answered. */
export function loggedRequestOf(request: Request, reply: Reply): LoggedRequest {
  const { knownKey, errorFields } = request;
  return {
    id: uuidOf(request.id),
    accountId: knownKey?.accountId ?? null,
    apiKeyId: knownKey?.apiKeyId ?? null,
    mode: knownKey?.mode ?? null,
    method: request.method,
    route: (request.routeOptions.url && storedRoute(request.routeOptions.url)) ?? null,
    status: reply.statusCode,
    code: request.errorCode,
    fields: errorFields && fieldNames(errorFields),
    address: knownAddress(request.ip),
    latencyMs: Math.round(reply.elapsedTime),
    messageId: request.messageId,
    calls: 1,
  };
}

/** The pattern of a route as it is stored, from one with or without what all routes begin with. */
export function storedRoute(route: string): string {
  if (route.startsWith(`${prefix}/`)) return route.slice(prefix.length);
  return route.replace(graphForm, '/graph');
}

/** `req_` and 32 digits, as callers know it. */
export function requestIdOf(uuid: string): string {
  return `req_${uuid.replaceAll('-', '')}`;
}

/** The address in the one form that is stored, or null for what a forged header says instead. */
export function knownAddress(ip: string): string | null {
  const [plain = ''] = plainAddress(ip).split('%');
  const family = isIP(plain);
  if (family === 0) return null;
  return family === 4 ? plain : new URL(`http://[${plain}]/`).hostname.slice(1, -1);
}

const requestIdForm = /^req_([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i;

/** The id of a request as it is stored, or null for another text. */
export function findUuidOf(requestId: string): string | null {
  const parts = requestIdForm.exec(requestId);
  return parts && parts.slice(1).join('-').toLowerCase();
}

/** The same for an id that is one. */
function uuidOf(id: string): string {
  return `${id.slice(4, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20, 24)}-${id.slice(24)}`;
}

const plainName = /^[a-z_][\w-]{0,39}(?:\[\d{1,4}\]){0,3}$/i;

/** A name of a field that looks like one; `…` in place of anything else, which may be a number or a text. */
export function plainNameOf(name: string): string {
  return plainName.test(name) && !/\d{5}/.test(name) ? name : '…';
}

/**
 * The names of fields that are not valid. What is wrong with them is left out: some of these texts quote the value. The
 * name of an unknown field is the caller's, too, so its parts are kept only if they look like names: not numbers or texts.
 * @param fields path of the field → what is wrong with it.
 */
export function fieldNames(fields: Readonly<Record<string, string>>): readonly string[] {
  const names = Object.keys(fields).map((path) => path.split('.').map(plainNameOf).join('.'));
  return [...new Set(names)];
}
