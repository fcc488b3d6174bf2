import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { checkout } from '../../src/config/checkout.js';

/** The documents as they are committed, by the names of their files; another test compares them with the API. */
export const apiDocuments: Readonly<Record<string, any>> = Object.fromEntries(
  ['openapi.json', 'openapi.dashboard.json'].map((name) => [
    name,
    JSON.parse(readFileSync(join(checkout, 'docs', name), 'utf8')),
  ]),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
for (const [name, document] of Object.entries(apiDocuments)) ajv.addSchema(document, name);

const validators = new Map<string, ValidateFunction>();

/** An answer as far as the document speaks of it. */
export interface DocumentedAnswer {
  readonly status: number;
  /** The parsed JSON. */
  readonly body: unknown;
}

interface DocumentedRoute {
  /** The name of the document's file. */
  readonly name: string;
  readonly path: string;
  readonly form: RegExp;
}

/** Routes without parameters first: `/messages/text` is not a message called `text`. */
const routes: DocumentedRoute[] = Object.entries(apiDocuments)
  .flatMap(([name, { paths }]) => Object.keys(paths).map((path) => ({ name, path })))
  .map(({ name, path }) => ({
    name,
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

/** The documented route of an address, or null where no document speaks of it. */
function routeOf(method: string, address: string): DocumentedRoute | null {
  const [path = ''] = address.split('?');
  if (!isReadable(path)) return null;
  const route = routes.find((one) => one.form.test(path));
  return route && operationsAt(route)[method.toLowerCase()] ? route : null;
}

const operationsAt = ({ name, path }: DocumentedRoute) => apiDocuments[name].paths[path];

/** What is wrong with an answer by the document: an empty list where nothing is. */
function faultsOf(
  method: string,
  route: DocumentedRoute,
  { status, body }: DocumentedAnswer,
): unknown[] {
  const { name, path } = route;
  const response = operationsAt(route)[method]?.responses[status];
  if (response === undefined) return [`${method} ${path} has no ${status}`];
  const place = response.$ref ?? `#/paths/${escaped(path)}/${method}/responses/${status}`;
  const errors = errorsOf(`${name}${place}/content/application~1json/schema`, body);
  return errors ? [{ method, path, status, body, errors }] : [];
}

/** What the schema at a place of a document finds in a value, or null. */
function errorsOf(place: string, value: unknown): ValidateFunction['errors'] {
  const validate = validators.get(place) ?? ajv.compile({ $ref: place });
  validators.set(place, validate);
  return validate(value) ? null : validate.errors;
}

/**
 * Checks what came to a webhook against the document.
 * @throws Error where the document says otherwise.
 */
export function holdEventToDocument(body: any): void {
  const webhook = `openapi.json#/webhooks/${escaped(String(body?.event))}/post`;
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
  const route = routeOf(method, address);
  // Pages, files, and addresses that are not there.
  if (route === null) return;
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  const isFile = route.path.startsWith('/openapi.') || route.path === '/docs/{file}';
  if (!isJson || (isFile && answer.status === 200)) return;
  const faults = faultsOf(method.toLowerCase(), route, answer);
  if (faults.length === 0) return;
  throw new Error(`docs/${route.name} says otherwise: ${JSON.stringify(faults, null, 2)}`);
}
