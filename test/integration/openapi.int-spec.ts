import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { catalogue } from '../../src/errors/catalogue.js';
import { webhookEvents } from '../../src/events/event-types.js';
import { BodyAgreement } from '../fuzz/body-agreement.js';
import { everyBody } from '../fuzz/valid-bodies.js';
import { holdToDocument } from '../support/api-document.js';

const document: any = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));

const operations: [string, any][] = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, any] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

/** What a reference of the document leads to. */
function follow(part: any): any {
  if (part?.$ref === undefined) return part;
  const steps = String(part.$ref).replace(/^#\//, '').split('/');
  return follow(steps.reduce((at: any, step) => at?.[step], document));
}

const schemaOf = (name: string) => document.components.schemas[name];

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi.json');
const validatorOf = (name: string) =>
  ajv.compile({ $ref: `openapi.json#/components/schemas/${name}` });

describe('docs/openapi.json', () => {
  const check = spawnSync('node', ['scripts/openapi.mjs', '--check'], { encoding: 'utf8' });

  it('is what the built API says; else run npm run openapi', () => {
    expect([check.status, check.stderr]).toEqual([0, '']);
  });

  it('has every route that the API registers, and no other', () => {
    const registered: string[] = JSON.parse(check.stdout);
    const routes = registered
      .filter((route) => !route.startsWith('HEAD '))
      .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
    expect(operations.map(([route]) => route).toSorted()).toEqual(routes.toSorted());
  });

  it('is OpenAPI 3.1 in which every reference leads somewhere', () => {
    expect(document.openapi).toBe('3.1.0');
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)];
    const lost = references.filter(([, $ref]) => follow({ $ref }) === undefined);
    expect(lost.map(([, $ref]) => $ref)).toEqual([]);
  });

  it('names every operation once', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]{3,40}$/.test(id))).toEqual([]);
  });

  it.each(operations)('%s has a summary, a success and schemas', (route, operation) => {
    expect(operation).toMatchObject({ summary: expect.any(String), tags: [expect.any(String)] });
    const statuses = Object.keys(operation.responses);
    expect(statuses).toContain('200');
    expect(statuses).not.toContain('201');
    for (const response of Object.values(operation.responses).map(follow)) {
      const [content] = Object.values<any>(response.content);
      expect(follow(content.schema)).toEqual(expect.any(Object));
    }
    const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const named = (operation.parameters ?? []).map(follow);
    expect(named.filter((one: any) => one.in === 'path').map((one: any) => one.name)).toEqual(
      inPath,
    );
  });

  it.each(operations.filter(([route]) => route.includes('/api/v1/external/')))(
    '%s needs a key and documents how it is refused',
    (_, { security, responses }) => {
      expect(security).toEqual([{ apiKey: [] }]);
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['401', '403', '429', '500', '503']),
      );
    },
  );

  it.each(operations.filter(([route]) => route.includes('/api/v1/dashboard/')))(
    '%s wants a session, unless it is for those who have none',
    (_, { security, operationId }) => {
      expect(security).toEqual(
        ['signIn', 'resetPassword'].includes(operationId) ? [] : [{ session: [] }],
      );
    },
  );

  it('has every code of the catalogue that an operation answers with', () => {
    const codes = Object.values<any>(document.components.schemas).map(
      (schema) => schema.properties?.code?.const,
    );
    const { METHOD_NOT_ALLOWED: _, ...ofOperations } = catalogue;
    expect(codes).toEqual(expect.arrayContaining(Object.keys(ofOperations)));
  });

  it('has the limits of requests, and refuses unknown fields', () => {
    expect(schemaOf('ButtonMessage')).toMatchObject({
      additionalProperties: false,
      required: ['body', 'buttons'],
      anyOf: [{ required: ['to'] }, { required: ['to_user_id'] }],
      properties: {
        to: { type: ['string', 'null'], pattern: String.raw`^\+[1-9]\d{6,14}$` },
        to_user_id: { pattern: String.raw`^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$` },
        body: { minLength: 1, maxLength: 1_024 },
        footer: { type: ['string', 'null'], maxLength: 60 },
        buttons: { minItems: 1, maxItems: 3 },
      },
    });
    expect(schemaOf('ReplyButton').properties.title).toMatchObject({ maxLength: 20 });
    expect(schemaOf('NewApiKey').properties.daily_limit).toMatchObject({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 1_000_000_000,
    });
    expect(schemaOf('MessageWithTimeline').additionalProperties).toBeUndefined();
  });

  it('has a webhook for every event, with its name and its headers', () => {
    expect(Object.keys(document.webhooks)).toEqual([...webhookEvents].toSorted());
    for (const [name, { post }] of Object.entries<any>(document.webhooks)) {
      const schema = follow(post.requestBody.content['application/json'].schema);
      expect(schema.properties.event.const).toBe(name);
      expect(post.parameters.map((header: any) => header.name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ]);
    }
  });

  it('has the details that a failed send always has', () => {
    const validate = validatorOf('MessageSendFailedError');
    const error = (details?: object) => ({ code: 'MESSAGE_SEND_FAILED', message: 'M', details });
    const always = { message_id: 'm', retryable: true };
    const platform = { whatsapp_error_code: 131026, whatsapp_error_message: null };
    expect(
      [platform, { reason: 'unreachable' }].map((part) => validate(error({ ...always, ...part }))),
    ).toEqual([true, true]);
    const incomplete = [
      undefined,
      {},
      always,
      { ...platform, retryable: true },
      { ...always, whatsapp_error_code: 1 },
    ];
    expect(incomplete.map((details) => validate(error(details)))).toEqual(
      incomplete.map(() => false),
    );
  });

  it('has the platform’s code for a file that is gone', () => {
    expect(schemaOf('NotFoundError').properties.details.properties).toMatchObject({
      whatsapp_error_code: { type: 'integer' },
    });
  });

  it('has what the playground answers to a template with named variables', () => {
    const { post } = document.paths['/api/v1/dashboard/playground'];
    const { data } = post.responses['200'].content['application/json'].schema.properties;
    expect(data.anyOf).toContainEqual({ $ref: '#/components/schemas/SentTemplate' });
  });
});

describe('an answer in the end-to-end tests', () => {
  const live = { status: 200, headers: new Headers({ 'Content-Type': 'application/json' }) };
  const hold = (change: object) => () =>
    holdToDocument('GET', '/health/live', { ...live, body: { status: 'ok' }, ...change });

  it('is checked against the document: its status and its body', () => {
    expect(hold({})).not.toThrow();
    expect(hold({ body: { status: 1 } })).toThrow('says otherwise');
    expect(hold({ status: 202 })).toThrow('has no 202');
  });

  it('is checked against the route with the parameter, whatever its query', () => {
    const answer = { ...live, body: {} };
    for (const path of ['/messages/018f0000?x=1', '/messages?limit=2', '/templates']) {
      expect(() => holdToDocument('GET', `/api/v1/external${path}`, answer)).toThrow('otherwise');
    }
  });
});

describe('request bodies', () => {
  let agreement: BodyAgreement;

  beforeAll(async () => {
    agreement = await BodyAgreement.open();
  });

  it('of every route are tried', () => {
    const tried = new Set(everyBody.map(([route]) => route));
    expect([...tried].toSorted()).toEqual(agreement.routes.toSorted());
  });

  it('that the API accepts are valid', () => {
    for (const [route, body] of everyBody) {
      expect(agreement.compare(route, 'none', body)).toBeNull();
      expect([route, agreement.accepts(route, body)]).toEqual([route, true]);
    }
  });

  // All of them are in `npm run test:fuzz`.
  it('with a change are valid when the API accepts them: every twentieth', () => {
    const disagreements = everyBody.flatMap(([route, body]) =>
      agreement
        .mutantsOf(route, body)
        .filter((_, index) => index % 20 === 0)
        .flatMap(({ change, make }) => agreement.compare(route, change, make()) ?? []),
    );
    expect(disagreements).toEqual([]);
  });
});
