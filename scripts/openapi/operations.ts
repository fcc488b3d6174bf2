import { permissionsOf } from '../../src/access/require-permission.decorator.js';
import { lowestRole } from '../../src/access/signed-in-user.js';
import type { ErrorCode } from '../../src/errors/catalogue.js';
import type { BareAnswer, Refusal } from '../../src/http/route.decorators.js';
import { mayBeAbsent } from '../../src/http/validation/body.pipe.js';
import {
  type Content,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Response,
  ref,
  type Schema,
} from './document-types.js';
import { byStatus, errorResponse, findResponseName } from './errors.js';
import { addLimits, hasRules } from './limits.js';
import { operationIdOf, type Route } from './routes.js';

const keyRefusals: readonly Refusal[] = [
  'INVALID_API_KEY',
  'EXPIRED_API_KEY',
  'REVOKED_API_KEY',
  'SUSPENDED_API_KEY',
  'IP_NOT_ALLOWED',
  'INVALID_SIGNATURE',
  'TIMESTAMP_EXPIRED',
  'PERMISSION_DENIED',
  'ACCOUNT_NOT_ACTIVE',
  'RATE_LIMIT_EXCEEDED',
];

type KeyAccess = Extract<Route['access'], { permission: unknown }>;

const safeMethods = new Set(['get', 'head', 'options']);

/** Turns what the plugin knows of an operation into what the API does there. */
export function completeOperation(
  document: OpenApiDocument,
  operation: Operation,
  route: Route,
  place: { method: string; path: string },
): void {
  operation.operationId = operationIdOf(route);
  operation.tags = [tagOf(place.path)];
  if ('permission' in route.access) operation.security = [{ apiKey: [] }];
  else if ('role' in route.access && route.access.role !== 'anybody') {
    operation.security = [{ session: [] }];
  } else operation.security = [];
  Object.assign(operation, accessOf(route, place.method));
  const { summary = '' } = operation;
  operation.description = describe(summary, route);
  operation.summary = titleOf(summary);
  completeQuery(operation, route);
  const given = operation.parameters ?? [];
  operation.parameters = [
    ...pathParameters(place.path),
    ...given.filter(isElsewhere),
    ...headerParameters(route),
  ];
  if (operation.requestBody && route.parameterTypes.some(mayBeAbsent)) {
    operation.requestBody.required = false;
  }
  operation.responses = {
    ...successes(document, operation, route),
    ...errors(document, operation, route, place.method),
  };
}

/** Who may call the operation, as the guards see it. */
function accessOf({ access }: Route, method: string): Partial<Operation> {
  if ('permission' in access) return { 'x-permissions': permissionsOf(access) };
  if (!('role' in access)) return { 'x-public': true };
  const { role } = access;
  return { 'x-role': role === 'anybody' ? role : lowestRole(role, safeMethods.has(method)) };
}

/** What the operation does, and what it takes: permission, limits, role. */
function describe(text: string, { access, isSend }: Route): string {
  const facts: string[] = [];
  if ('permission' in access) {
    const needed = permissionsOf(access)?.map((permission) => `\`${permission}\``);
    facts.push(
      needed
        ? `The key needs the permission${needed.length > 1 ? 's' : ''} ${needed.join(' and ')}.`
        : 'The permission that the key needs depends on what the request asks for.',
      limitsOf(access, isSend),
    );
  } else if ('role' in access && access.role !== 'anybody') {
    facts.push(
      access.role === 'operator'
        ? 'For operators.'
        : 'For operators, and administrators in theirs.',
    );
  }
  const isTitle = text.replace(/\.$/, '') === titleOf(text) && facts.length > 0;
  return [isTitle ? '' : text, facts.join(' ')].filter((part) => part !== '').join('\n\n');
}

/** The first sentence, without its point and without marks: lists of operations show it as it is. */
const titleOf = (text: string) =>
  (/^[\s\S]*?(?=\.(?:\s|$))/.exec(text)?.[0] ?? text).replaceAll('`', '').replaceAll(/\s+/g, ' ');

function limitsOf({ isFeed, isBeyondDay }: KeyAccess, isSend: boolean): string {
  if (isFeed) return 'It has a limit of its own and takes nothing of the minute and the day.';
  if (isBeyondDay) return 'It takes a unit of the minute, also on a day that is used up.';
  const day = isSend ? 'of the day when the message is accepted' : 'of the day when it succeeds';
  return `It takes a unit of the minute, and one ${day}.`;
}

/** By the first part of a path below `/api/v1/external`; messages and media are left. */
const externalTags: Readonly<Record<string, string>> = {
  campaigns: 'Campaigns',
  webhooks: 'Webhooks',
  events: 'Events',
  contacts: 'Contacts',
  templates: 'Templates',
};

/** The area that a path belongs to. */
function tagOf(path: string): string {
  const [, area, part] = /^\/(?:api\/v1\/)?([a-z-]+)(?:\/([a-z-]+))?/.exec(path) ?? [];
  if (area === 'external') return externalTags[part ?? ''] ?? 'Messages';
  if (area === 'dashboard') return 'Dashboard';
  return area === 'platform' ? 'Platform' : 'Installation';
}

const isElsewhere = (parameter: Parameter) => parameter.in !== 'path';

/** From the path itself: what several routes share reads some of them from the request. */
const pathParameters = (path: string): Parameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    in: 'path',
    name,
    required: true,
    schema: { type: 'string' },
  }));

function completeQuery(operation: Operation, route: Route): void {
  for (const parameter of operation.parameters ?? []) {
    const { name, schema } = parameter;
    if (parameter.in !== 'query' || name === undefined || schema === undefined) continue;
    for (const dto of route.parameterTypes) if (hasRules(dto)) addLimits(dto, name, schema);
    if (schema.default !== undefined) parameter.required = false;
  }
}

function headerParameters({ access, isSend, isRepeatable }: Route): Parameter[] {
  if (!('permission' in access)) return [];
  const names = ['Timestamp', 'Nonce', 'Signature'];
  return [...(isRepeatable ? ['IdempotencyKey'] : []), ...(isSend ? ['Prefer'] : []), ...names].map(
    (name) => ref('parameters', name),
  );
}

function successes(
  document: OpenApiDocument,
  operation: Operation,
  route: Route,
): Operation['responses'] {
  if (route.bare) {
    return Object.fromEntries(
      Object.entries(route.bare).map(([status, answer]) => [status, bareResponse(answer)]),
    );
  }
  const isMetered = 'permission' in route.access;
  const headers = {
    'X-Request-Id': ref('headers', 'RequestId'),
    ...(isMetered && {
      RateLimit: ref('headers', 'RateLimit'),
      'RateLimit-Policy': ref('headers', 'RateLimitPolicy'),
    }),
    ...(route.isRepeatable && { 'Idempotency-Replayed': ref('headers', 'IdempotencyReplayed') }),
  };
  const content: Content = {
    'application/json': {
      schema: envelopeOf(document, operation, route),
    },
    // At most 100,000 rows, outside the envelope.
    ...(route.isAlsoFile && {
      'text/csv': { schema: { type: 'string' } },
      'application/x-ndjson': { schema: { type: 'string' } },
    }),
  };
  const done: Response = { description: 'Done.', headers, content };
  if (!route.isSend) return { 200: done };
  return {
    200: { ...done, description: 'What came of the message, as far as it is certain.' },
    202: {
      description: 'The message is queued: the answer to `Prefer: respond-async`.',
      headers: { ...headers, 'Preference-Applied': ref('headers', 'PreferenceApplied') },
      content,
    },
  };
}

/** A successful answer. Operations with the same `data` share it. */
function envelopeOf(document: OpenApiDocument, operation: Operation, route: Route): Schema {
  const data = dataOf(operation, route);
  const name = data.$ref?.replace(/^.*\/|Dto$/g, '') ?? capitalized(operation.operationId);
  const isMetered = 'permission' in route.access;
  return keep(document, `${name}${isMetered ? '' : 'Dashboard'}Envelope`, {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: true },
      data,
      meta: ref('schemas', isMetered ? 'MeteredMeta' : 'Meta'),
    },
    required: ['success', 'data', 'meta'],
  });
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Gives a schema a name, which generated types have too. */
function keep({ components }: OpenApiDocument, name: string, schema: Schema): Schema {
  components.schemas[name] ??= schema;
  return ref('schemas', name);
}

function dataOf(operation: Operation, { oneOf }: Route): Schema {
  if (oneOf.length > 0) return { anyOf: oneOf.map(({ name }) => ref('schemas', name)) };
  // Nest says 201 for POST; the API never does.
  const described = operation.responses['200'] ?? operation.responses['201'];
  const content = described && 'content' in described ? described.content : undefined;
  return content?.['application/json']?.schema ?? { type: 'object' };
}

function bareResponse({ description, type, mediaType }: BareAnswer): Response {
  const schema: Schema = type ? ref('schemas', type.name) : { type: 'string' };
  return {
    description,
    content: { [mediaType ?? (type ? 'application/json' : 'text/plain')]: { schema } },
  };
}

function errors(
  document: OpenApiDocument,
  operation: Operation,
  route: Route,
  method: string,
): Operation['responses'] {
  const responses: Operation['responses'] = {};
  const stored = (document.components.responses ??= {});
  for (const [status, codes] of byStatus(refusalsOf(operation, route, method))) {
    const response = named(
      document,
      errorResponse(status, codes),
      nameOf(operation, status, codes),
    );
    const bare = route.bare?.[status];
    const name = sharedNameOf(status, codes);
    if (bare) responses[status] = either(bareResponse(bare), response);
    else if (name === null) responses[status] = response;
    else {
      stored[name] ??= response;
      responses[status] = ref('responses', name);
    }
  }
  return responses;
}

function sharedNameOf(status: number, codes: readonly ErrorCode[]): string | null {
  return isKeyRefusal(status, codes) ? 'ApiKeyRefused' : findResponseName(status, codes);
}

const nameOf = ({ operationId }: Operation, status: number, codes: readonly ErrorCode[]) =>
  sharedNameOf(status, codes) ?? `${capitalized(operationId)}${status}`;

/** The same answer, with a name for its schema. */
function named(document: OpenApiDocument, response: Response, name: string): Response {
  const json = response.content?.['application/json'];
  if (!json) return response;
  const schema = keep(document, `${name}Refusal`, json.schema);
  return { ...response, content: { 'application/json': { schema } } };
}

/** The longest list, and the same for every route that takes a key. */
function isKeyRefusal(status: number, codes: readonly ErrorCode[]): boolean {
  const usual = byStatus(keyRefusals).get(status) ?? [];
  return status === 401 && codes.length === usual.length;
}

/** An answer that may be in the envelope or not: the process itself refuses while it stops. */
function either(bare: Response, refusal: Response): Response {
  const schemas = [bare, refusal].flatMap(({ content }) => content?.['application/json'] ?? []);
  return {
    description: bare.description,
    content: { 'application/json': { schema: { anyOf: schemas.map(({ schema }) => schema) } } },
  };
}

function refusalsOf(operation: Operation, route: Route, method: string): Refusal[] {
  const refusals: Refusal[] = [...route.refusals, 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
  if ('permission' in route.access) {
    refusals.push(...keyRefusals);
    // The others take nothing of the day.
    if (!route.access.isBeyondDay && !route.access.isFeed) refusals.push('DAILY_LIMIT_EXCEEDED');
  }
  if ('role' in route.access) {
    if (route.access.role !== 'anybody') {
      refusals.push('UNAUTHENTICATED');
      if (!route.access.isBeforeSecondFactor) refusals.push('TOTP_SETUP_REQUIRED');
    }
    if (route.access.role === 'operator' || !safeMethods.has(method)) refusals.push('FORBIDDEN');
  }
  if (route.limitsSignIn) refusals.push('RATE_LIMIT_EXCEEDED');
  const ruled = route.parameterTypes.filter(hasRules);
  if (ruled.length > 0) refusals.push('VALIDATION_ERROR');
  const fields = ruled.flatMap((dto) => Object.getOwnPropertyNames(phoneFields(dto)));
  if (fields.length > 0) refusals.push('INVALID_PHONE_NUMBER');
  // An operator may name any account; for users of one account the others are not there.
  const isScoped = 'role' in route.access && route.access.role !== 'operator';
  const isAbout = (operation.parameters ?? []).some(
    ({ in: where, name }) => where === 'path' || (isScoped && name === 'account_id'),
  );
  const says404 = byStatus(route.refusals).has(404);
  if (isAbout && !says404) refusals.push('NOT_FOUND');
  return refusals;
}

/** The field whose violation has a code of its own, where a class has it. */
function phoneFields(dto: Route['parameterTypes'][number]): Schema {
  const schema: Schema = {};
  addLimits(dto, 'to', schema);
  return schema;
}
