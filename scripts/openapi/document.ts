import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { checkout } from '../../src/config/checkout.js';
import type { Dto } from '../../src/http/validation/compiled-rules.js';
import { sessionCookieName } from '../../src/sessions/session-cookies.js';
import { composeRequest } from './alternatives.js';
import { commonComponents } from './components.js';
import type { OpenApiDocument, Schema } from './document-types.js';
import { webhooks } from './events.js';
import { addExamples } from './examples.js';
import { addLimits, hasRules, withNestedTypes } from './limits.js';
import { completeOperation } from './operations.js';
import { operationIdOf, type Route, routesOf } from './routes.js';

const callerTags: Record<string, string> = {
  Messages: 'Sending messages and reading their results.',
  Campaigns: 'One template to many recipients.',
  Webhooks: 'Where Parley posts the events of an API key.',
  Events: 'What Parley posts to the webhooks of an API key, and the same as a feed.',
  Contacts: 'The users of WhatsApp whom an account knows.',
  Templates: 'The templates that a key can send.',
};

const otherTags: Record<string, string> = {
  Dashboard: 'The API of the dashboard; administrators can script it, too.',
  Platform: 'What WhatsApp calls.',
  Installation: 'Health, and these documents.',
};

const callersPath = '/api/v1/external/';

/** What a document is about. */
interface Scope {
  readonly title: string;
  readonly description: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly has: (path: string) => boolean;
  /** They get events too, and examples. */
  readonly isForCallers: boolean;
}

const callers: Scope = {
  title: 'Parley',
  description:
    'Business messaging over WhatsApp. Every answer is an envelope: `success`, `data` or `error`, `meta`. What the dashboard and WhatsApp call is described in `/openapi.dashboard.json`.',
  tags: callerTags,
  has: (path) => path.startsWith(callersPath),
  isForCallers: true,
};

const others: Scope = {
  title: 'Parley: dashboard and installation',
  description:
    'What the dashboard, WhatsApp and operators call. Programs with an API key find theirs in `/openapi.json`.',
  tags: otherTags,
  has: (path) => !path.startsWith(callersPath),
  isForCallers: false,
};

/** The documents of an application, by the name of their file. */
export function createDocuments(app: INestApplication): Record<string, OpenApiDocument> {
  return {
    'openapi.json': createDocument(app, callers),
    'openapi.dashboard.json': createDocument(app, others),
  };
}

/**
 * The OpenAPI 3.1 document of an application's routes: each with its limits and errors. It is derived
 * from the rules, guards and catalogue that the API itself goes by.
 * @param app may be a preview (`NestFactory.create(…, { preview: true })`), without any store. It must
 * come from `nest build`: only there the types of fields and answers are kept.
 * @throws Error when two operations or two schemas have the same name.
 */
function createDocument(app: INestApplication, scope: Scope): OpenApiDocument {
  const routes = routesOf(app);
  const requestTypes = requestTypesOf(routes);
  const document = withSortedEnums(describe(app, routes, requestTypes, scope));
  for (const path of Object.keys(document.paths)) {
    if (!scope.has(path)) delete document.paths[path];
  }
  const composed: Record<string, Schema> = {};
  for (const dto of requestTypes) {
    const schema = document.components.schemas[dto.name];
    if (schema) Object.assign(composed, limitRequest(dto, schema));
  }
  addSchemas(document.components.schemas, composed);
  const common = commonComponents(sessionCookieName);
  const { schemas } = document.components;
  document.components = { ...document.components, ...common, schemas };
  completeOperations(document, routes);
  if (scope.isForCallers) {
    document.webhooks = webhooks();
    addExamples(document);
  }
  addSchemas(schemas, common.schemas);
  dropUnused(document);
  return withoutSuffixes(document);
}

function describe(
  app: INestApplication,
  routes: ReadonlyMap<string, Route>,
  requestTypes: readonly Dto[],
  { title, description, tags }: Scope,
): OpenApiDocument {
  const { version } = manifest();
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(title)
    .setDescription(description)
    .setVersion(version)
    .addServer('/', 'This installation');
  for (const [name, about] of Object.entries(tags)) builder.addTag(name, about);
  const answers = [...routes.values()].flatMap(({ bare, oneOf }) => [
    ...oneOf,
    ...Object.values(bare ?? {}).flatMap(({ type }) => type ?? []),
  ]);
  return SwaggerModule.createDocument(app, builder.build(), {
    // Too many, some only in query strings; what nothing refers to goes again.
    extraModels: [...answers, ...requestTypes],
    operationIdFactory: (controller, method) => `${controller}.${method}`,
  }) as unknown as OpenApiDocument;
}

function manifest(): { version: string } {
  return JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
}

/** The classes that requests are checked against, with those of the objects in them. */
function requestTypesOf(routes: ReadonlyMap<string, Route>): Dto[] {
  const given = [...routes.values()].flatMap(({ parameterTypes }) => parameterTypes);
  return [...new Set(given.filter(hasRules).flatMap(withNestedTypes))];
}

/** A field with a default may be absent. @returns the schemas that the changed one refers to, by name. */
function limitRequest(dto: Dto, schema: Schema): Record<string, Schema> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    addLimits(dto, name, field);
    if (field.default === undefined) continue;
    schema.required = schema.required?.filter((required) => required !== name);
  }
  return composeRequest(dto, schema);
}

function completeOperations(document: OpenApiDocument, routes: ReadonlyMap<string, Route>): void {
  const names = new Set<string>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const route = routes.get(operation.operationId);
      if (!route) throw new Error(`no route is called ${operation.operationId}`);
      const name = operationIdOf(route);
      if (names.has(name)) throw new Error(`two operations are called ${name}; rename a method`);
      names.add(name);
      completeOperation(document, operation, route, { method, path });
    }
  }
}

function addSchemas(schemas: Record<string, Schema>, added: Record<string, Schema>): void {
  for (const [name, schema] of Object.entries(added)) {
    if (schemas[name]) throw new Error(`two schemas are called ${name}; rename the class`);
    schemas[name] = schema;
  }
}

/** The compiler lists the members of a union as it met them, which changes with unrelated code. */
function withSortedEnums(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key !== 'enum' || !Array.isArray(value)) return value;
    const texts = value.filter((item) => typeof item === 'string').toSorted();
    return [...texts, ...value.filter((item) => typeof item !== 'string')];
  }) as OpenApiDocument;
}

/** Leaves only the components that an operation or a webhook refers to, or a component that does. */
function dropUnused({ paths, webhooks: calls, components }: OpenApiDocument): void {
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    const references = JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/(\w+)"/g);
    for (const [reference, kind = '', name = ''] of references) {
      if (used.has(reference)) continue;
      used.add(reference);
      const found = (components as Record<string, Record<string, unknown>>)[kind]?.[name];
      if (found !== undefined) follow(found);
    }
  };
  follow([paths, calls ?? {}]);
  const secured = JSON.stringify(Object.values(paths).flatMap((methods) => Object.values(methods)));
  for (const [kind, all] of Object.entries(components)) {
    for (const name of Object.keys(all)) {
      const isUsed =
        kind === 'securitySchemes'
          ? secured.includes(`"security":[{"${name}"`)
          : used.has(`"#/components/${kind}/${name}"`);
      if (!isUsed) delete (all as Record<string, unknown>)[name];
    }
  }
}

/** Our classes end in `Dto`, which means nothing to callers. */
function withoutSuffixes(document: OpenApiDocument): OpenApiDocument {
  const short = (name: string) => name.replace(/Dto$/, '');
  const named = Object.entries(document.components.schemas);
  const schemas: Record<string, Schema> = {};
  for (const [name, schema] of named) addSchemas(schemas, { [short(name)]: schema });
  document.components.schemas = schemas;
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? short(value) : value,
  ) as OpenApiDocument;
}
