import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import 'reflect-metadata';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { AppError } from '../../src/errors/app-error.js';
import { RawBody } from '../../src/http/server/raw-body.js';
import { BodyPipe } from '../../src/http/validation/body.pipe.js';
import type { Dto } from '../../src/http/validation/compiled-rules.js';
import { apiDocuments } from '../support/api-document.js';
import { checkout } from '../support/npm-start.js';
import { type Mutant, mutationsAt, type Path, placesIn } from './schema-mutations.js';

/** What the API refuses and JSON Schema cannot say, by the API's own messages. */
const beyondSchema: readonly RegExp[] = [
  /^must have unique ids/,
  // Beyond U+FFFF; see `documentedVisibleForm`.
  /^must not be blank$/,
  /^must be a link that begins with http/,
  /^must be one emoji$/,
  /^must have the same kind and number of buttons on each card$/,
  // Of a flow.
  /^is not allowed with the action data_exchange$/,
  /^needs a screen$|^must not be empty; leave it out$/,
  /^must not hold a user and a password/,
  /^must be an ISO 8601 time/,
  /^must be in the future$/,
  /^must be an address or a CIDR range|^must have a prefix length|^must not cover every|^must not have bits set/,
  /^must not be one of the most common passwords$|^is too easy to guess/,
  /^must be a word of at most 50 characters$/,
  /^must not contain (?:NUL characters|lone surrogates)$|^is not an allowed name$|send a larger one as a string$/,
];

/** Where the template decides later what a body may hold, and answers INVALID_TEMPLATE_PARAMS. */
const leftToTemplate = /^(?:\/fallback)?\/(?:variables\/[^/]*|components\/\d+)$/;

/** A body on which the document and the API do not agree. */
export interface Disagreement {
  readonly route: string;
  readonly change: string;
  readonly body: string;
  /** What the schema finds, or nothing. */
  readonly schema: readonly string[];
  /** What the API finds, or nothing. */
  readonly api: Readonly<Record<string, string>>;
}

interface Judge {
  readonly dto: Dto;
  readonly document: any;
  readonly schema: any;
  readonly validate: ValidateFunction;
}

/** Compares the request schemas of the documents with the rules that the API applies. */
export class BodyAgreement {
  private readonly pipe = new BodyPipe();

  private constructor(private readonly judges: ReadonlyMap<string, Judge>) {}

  static async open(): Promise<BodyAgreement> {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    for (const [name, document] of Object.entries(apiDocuments)) ajv.addSchema(document, name);
    const classes = await bodyClasses();
    const judges = new Map<string, Judge>();
    const paths = Object.entries(apiDocuments).flatMap(([file, document]) =>
      Object.entries<any>(document.paths).map(([path, methods]) => ({
        file,
        document,
        path,
        methods,
      })),
    );
    for (const { file, document, path, methods } of paths) {
      for (const [method, { operationId, requestBody }] of Object.entries<any>(methods)) {
        const schema = requestBody?.content?.['application/json']?.schema;
        if (schema?.$ref === undefined) continue;
        const name = schema.$ref.split('/').at(-1);
        const dto = classes.get(name);
        if (!dto) throw new Error(`${operationId} takes no ${name}`);
        const validate = ajv.compile({ $ref: `${file}${schema.$ref}` });
        judges.set(`${method.toUpperCase()} ${path}`, { dto, document, schema, validate });
      }
    }
    return new BodyAgreement(judges);
  }

  /** Every route with a JSON body that has rules. */
  get routes(): string[] {
    return [...this.judges.keys()];
  }

  /** Every single change of a body, or of one place in it. */
  mutantsOf(route: string, body: object, places: readonly Path[] = placesIn(body)): Mutant[] {
    const { document, schema } = this.judgeOf(route);
    return places.flatMap((path) => mutationsAt(document, schema, body, path));
  }

  /** Whether the API accepts a body. */
  accepts(route: string, body: object): boolean {
    const { dto } = this.judgeOf(route);
    return Object.keys(this.violations(dto, JSON.stringify(body))).length === 0;
  }

  /** Where the two do not agree on a body, or null. */
  compare(route: string, change: string, value: object): Disagreement | null {
    const { dto, validate } = this.judgeOf(route);
    const body = JSON.stringify(value);
    validate(JSON.parse(body));
    const schema = validate.errors ?? [];
    const api = this.violations(dto, body);
    const faults = Object.values(api);
    const doAgree = (schema.length === 0) === (faults.length === 0);
    if (doAgree || isExcused(schema, faults)) return null;
    const found = schema.map(({ instancePath, message }) => `${instancePath}: ${message}`);
    return { route, change, body, schema: found, api };
  }

  private judgeOf(route: string): Judge {
    const judge = this.judges.get(route);
    if (!judge) throw new Error(`${route} takes no JSON body with rules`);
    return judge;
  }

  private violations(metatype: Dto, body: string): Record<string, string> {
    try {
      const raw = new RawBody(Buffer.from(body), 'application/json');
      this.pipe.transform(raw, { type: 'body', metatype });
      return {};
    } catch (error) {
      if (error instanceof AppError) return error.details?.fields as Record<string, string>;
      throw error;
    }
  }
}

function isExcused(schema: readonly ErrorObject[], faults: readonly string[]): boolean {
  if (schema.length === 0) {
    return faults.every((fault) => beyondSchema.some((rule) => rule.test(fault)));
  }
  const ofFields = schema.filter(isOfAField);
  return (
    ofFields.length > 0 && ofFields.every(({ instancePath }) => leftToTemplate.test(instancePath))
  );
}

/** What follows from the fault of a field: of the alternatives around it, and of fields beside it. */
const consequences = new Set(['anyOf', 'oneOf', 'unevaluatedProperties']);

/** Not that an object is not null either, which is said of each that has a fault. */
function isOfAField({ keyword, params }: ErrorObject): boolean {
  return !consequences.has(keyword) && params.type !== 'null';
}

/** Every class of the API's bodies by the name of its schema. */
async function bodyClasses(): Promise<Map<string, Dto>> {
  const source = join(checkout, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const classes = new Map<string, Dto>();
  // One after the other: jest cannot link modules at the same time.
  for (const file of files.filter((name) => name.endsWith('.dto.ts'))) {
    const module: Record<string, Dto> = await import(join(source, file));
    for (const [name, dto] of Object.entries(module)) classes.set(name.replace(/Dto$/, ''), dto);
  }
  return classes;
}
