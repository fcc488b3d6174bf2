import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The document as it is committed; another test compares it with the API. */
export const apiDocument: any = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(apiDocument, 'openapi.json');

const validators = new Map<string, ValidateFunction>();

/** An answer as far as the document speaks of it. */
export interface DocumentedAnswer {
  readonly status: number;
  /** The parsed JSON. */
  readonly body: unknown;
}

interface DocumentedRoute {
  readonly path: string;
  readonly form: RegExp;
}

/** Routes without parameters first: `/messages/text` is not a message called `text`. */
const routes: DocumentedRoute[] = Object.keys(apiDocument.paths)
  .map((path) => ({
    path,
    form: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length);

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');

/** What cannot be decoded leads to no route. */
function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** The document's path for an address, or null where it speaks of no such route. */
function routeOf(method: string, address: string): string | null {
  const [path = ''] = address.split('?');
  if (!isReadable(path)) return null;
  const route = routes.find((one) => one.form.test(path));
  return route && apiDocument.paths[route.path][method.toLowerCase()] ? route.path : null;
}

/**
 * What is wrong with an answer by the document: an empty list where nothing is.
 * @param path as the document writes it: `/api/v1/external/messages/{uuid}`.
 */
function faultsOf(method: string, path: string, { status, body }: DocumentedAnswer): unknown[] {
  const response = apiDocument.paths[path]?.[method]?.responses[status];
  if (response === undefined) return [`${method} ${path} has no ${status}`];
  const place = response.$ref ?? `#/paths/${escaped(path)}/${method}/responses/${status}`;
  const errors = errorsOf(`${place}/content/application~1json/schema`, body);
  return errors ? [{ method, path, status, body, errors }] : [];
}

/** What the schema at a place of the document finds in a value, or null. */
function errorsOf(place: string, value: unknown): ValidateFunction['errors'] {
  const validate = validators.get(place) ?? ajv.compile({ $ref: `openapi.json${place}` });
  validators.set(place, validate);
  return validate(value) ? null : validate.errors;
}

/**
 * Checks what came to a webhook against the document.
 * @throws Error where the document says otherwise.
 */
export function holdEventToDocument(body: any): void {
  const webhook = `#/webhooks/${escaped(String(body?.event))}/post`;
  const errors = errorsOf(`${webhook}/requestBody/content/application~1json/schema`, body);
  if (!errors) return;
  throw new Error(`docs/openapi.json says otherwise: ${JSON.stringify({ body, errors }, null, 2)}`);
}

/**
 * Checks an answer against the document, whatever the test itself checks.
 * @throws Error where the document says otherwise.
 */
export function holdToDocument(
  method: string,
  address: string,
  answer: DocumentedAnswer & { readonly headers: Headers },
): void {
  const path = routeOf(method, address);
  // Pages, files, and addresses that are not there.
  if (path === null) return;
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  if (!isJson || path === '/openapi.json') return;
  const faults = faultsOf(method.toLowerCase(), path, answer);
  if (faults.length === 0) return;
  throw new Error(`docs/openapi.json says otherwise: ${JSON.stringify(faults, null, 2)}`);
}
