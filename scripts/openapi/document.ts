import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { checkout } from '../../src/config/checkout.js';
import type { Dto } from '../../src/http/validation/compiled-rules.js';
import { sessionCookieName } from '../../src/sessions/session-cookies.js';
import { commonComponents } from './components.js';
import type { OpenApiDocument, Schema } from './document-types.js';
import { webhooks } from './events.js';
import {
  addLimits,
  alternativesOf,
  dependentSchemasOf,
  hasRules,
  withNestedTypes,
} from './limits.js';
import { completeOperation } from './operations.js';
import { operationIdOf, type Route, routesOf } from './routes.js';

const tags: Record<string, string> = {
  Messages: 'Sending messages and reading their results.',
  Campaigns: 'One template to many recipients.',
  Webhooks: 'Where Parley posts the events of an API key.',
  Events: 'What Parley posts to the webhooks of an API key, and the same as a feed.',
  Contacts: 'The users of WhatsApp whom an account knows.',
  Templates: 'The templates that a key can send.',
  Dashboard: 'The API of the dashboard; administrators can script it, too.',
  Platform: 'What WhatsApp calls.',
  Installation: 'Health, and this document.',
};

/**
 * The OpenAPI 3.1 document of an application: every route with its limits and errors. It is derived
 * from the rules, guards and catalogue that the API itself goes by.
 * @param app may be a preview (`NestFactory.create(…, { preview: true })`), without any store. It must
 * come from `nest build`: only there the types of fields and answers are kept.
 * @throws Error when two operations or two schemas have the same name.
 */
export function createDocument(app: INestApplication): OpenApiDocument {
  const routes = routesOf(app);
  const requestTypes = requestTypesOf(routes);
  const document = withSortedEnums(describe(app, routes, requestTypes));
  for (const dto of requestTypes) {
    const schema = document.components.schemas[dto.name];
    if (schema) limitRequest(dto, schema);
  }
  const common = commonComponents(sessionCookieName);
  const { schemas } = document.components;
  document.components = { ...document.components, ...common, schemas };
  completeOperations(document, routes);
  document.webhooks = webhooks();
  dropUnused(document);
  addSchemas(schemas, common.schemas);
  return withoutSuffixes(document);
}

function describe(
  app: INestApplication,
  routes: ReadonlyMap<string, Route>,
  requestTypes: readonly Dto[],
): OpenApiDocument {
  const { version } = manifest();
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Parley')
    .setDescription(
      'Business messaging over WhatsApp. Every answer is an envelope: `success`, `data` or `error`, `meta`.',
    )
    .setVersion(version)
    .addServer('/', 'This installation');
  for (const [name, description] of Object.entries(tags)) builder.addTag(name, description);
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

/** Unknown fields are refused, and a field with a default may be absent. */
function limitRequest(dto: Dto, schema: Schema): void {
  schema.additionalProperties = false;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    addLimits(dto, name, field);
    if (field.default === undefined || !schema.required) continue;
    schema.required = schema.required.filter((required) => required !== name);
  }
  if (schema.required?.length === 0) delete schema.required;
  const dependentSchemas = dependentSchemasOf(dto);
  if (Object.keys(dependentSchemas).length > 0) schema.dependentSchemas = dependentSchemas;
  const alternatives = alternativesOf(dto);
  if (alternatives.length === 1) Object.assign(schema, alternatives[0]);
  else if (alternatives.length > 1) schema.allOf = alternatives;
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

/** Leaves only the schemas that an operation refers to, or a schema that does. */
function dropUnused({ paths, components: { schemas } }: OpenApiDocument): void {
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      if (schemas[name]) follow(schemas[name]);
    }
  };
  follow(paths);
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
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
