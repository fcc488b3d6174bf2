import { spawnSync } from 'node:child_process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { catalogue } from '../../src/errors/catalogue.js';
import { webhookEvents } from '../../src/events/event-types.js';
import { BodyAgreement } from '../fuzz/body-agreement.js';
import { everyBody } from '../fuzz/valid-bodies.js';
import { apiDocuments, holdToDocument } from '../support/api-document.js';

const { 'openapi.json': document, 'openapi.dashboard.json': dashboard } = apiDocuments;

const operationsOf = ({ paths }: any): [string, any][] =>
  Object.entries<any>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, any] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

const callers = operationsOf(document);
const others = operationsOf(dashboard);

/** What a reference of a document leads to. */
function followIn(whole: any, part: any): any {
  if (part?.$ref === undefined) return part;
  const steps = String(part.$ref).replace(/^#\//, '').split('/');
  return followIn(
    whole,
    steps.reduce((at: any, step) => at?.[step], whole),
  );
}

const follow = (part: any) => followIn(document, part);
const schemaOf = (name: string) => document.components.schemas[name];

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi.json');
const validatorOf = (name: string) =>
  ajv.compile({ $ref: `openapi.json#/components/schemas/${name}` });

describe('the OpenAPI documents', () => {
  const check = spawnSync('node', ['scripts/openapi.mjs', '--check'], { encoding: 'utf8' });

  it('is what the built API says; else run npm run openapi', () => {
    expect([check.status, check.stderr]).toEqual([0, '']);
  });

  it('has every route that the API registers, those of WhatsApp’s own API apart, and no other', () => {
    const registered: string[] = JSON.parse(check.stdout);
    const routes = registered
      .filter((route) => !route.startsWith('HEAD ') && !route.includes(' /graph/'))
      .map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
    const documented = [...callers, ...others].map(([route]) => route);
    expect(documented.toSorted()).toEqual(routes.toSorted());
    expect(callers.every(([route]) => route.includes(' /api/v1/external/'))).toBe(true);
    expect(others.some(([route]) => route.includes(' /api/v1/external/'))).toBe(false);
  });

  it.each(Object.entries(apiDocuments))('%s is OpenAPI 3.1 without lost references', (_, whole) => {
    expect(whole.openapi).toBe('3.1.0');
    const references = [...JSON.stringify(whole).matchAll(/"\$ref":"([^"]+)"/g)];
    const lost = references.filter(([, $ref]) => followIn(whole, { $ref }) === undefined);
    expect(lost.map(([, $ref]) => $ref)).toEqual([]);
  });

  it.each(Object.entries(apiDocuments))('%s keeps nothing that nothing refers to', (_, whole) => {
    const text = JSON.stringify(whole);
    const { securitySchemes: _unreferred, ...components } = whole.components;
    const unused = Object.entries<any>(components).flatMap(([kind, all]) =>
      Object.keys(all).filter((name) => !text.includes(`"#/components/${kind}/${name}"`)),
    );
    expect(unused).toEqual([]);
  });

  it.each(Object.entries(apiDocuments))('%s names every operation once', (_, whole) => {
    const ids = operationsOf(whole).map(([, { operationId }]) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]{3,40}$/.test(id))).toEqual([]);
  });

  it.each(Object.entries(apiDocuments))('%s has no name that says nothing', (_, whole) => {
    const names = Object.keys(whole.components.schemas);
    expect(names).not.toContain('Object');
    expect(names).not.toContain('Request');
    expect(names).not.toContain('Notification');
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name))).toEqual([]);
  });

  it.each(
    [document, dashboard].flatMap((whole) =>
      operationsOf(whole).map(([route, operation]): [string, any, any] => [
        route,
        operation,
        whole,
      ]),
    ),
  )('%s has a summary, a description, a success and schemas', (route, operation, whole) => {
    expect(operation).toMatchObject({
      summary: expect.any(String),
      description: expect.stringMatching(/\w/),
      tags: [expect.any(String)],
    });
    const statuses = Object.keys(operation.responses);
    expect(statuses).toContain('200');
    expect(statuses).not.toContain('201');
    for (const answer of Object.values(operation.responses)) {
      const [content] = Object.values<any>(followIn(whole, answer).content);
      expect(followIn(whole, content.schema)).toEqual(expect.any(Object));
    }
    const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const named = (operation.parameters ?? []).map((part: any) => followIn(whole, part));
    expect(named.filter((one: any) => one.in === 'path').map((one: any) => one.name)).toEqual(
      inPath,
    );
  });

  it.each(callers)(
    '%s needs a key and documents how it is refused',
    (_, { security, responses }) => {
      expect(security).toEqual([{ apiKey: [] }]);
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['401', '403', '429', '500', '503']),
      );
    },
  );

  it.each(others.filter(([route]) => route.includes('/api/v1/dashboard/')))(
    '%s wants a session, unless it is for those who have none',
    (_, { security, operationId }) => {
      expect(security).toEqual(
        ['signIn', 'resetPassword'].includes(operationId) ? [] : [{ session: [] }],
      );
    },
  );

  it('has every code of the catalogue that an operation answers with', () => {
    const codes = [document, dashboard]
      .flatMap(({ components }) => Object.values<any>(components.schemas))
      .map((schema) => schema.properties?.code?.const);
    const { METHOD_NOT_ALLOWED: _, ...ofOperations } = catalogue;
    expect(codes).toEqual(expect.arrayContaining(Object.keys(ofOperations)));
  });

  it('has the limits of requests, and refuses unknown fields', () => {
    expect(schemaOf('Recipient').oneOf).toMatchObject([
      {
        required: ['to'],
        properties: {
          to: { type: 'string', pattern: String.raw`^\+[1-9]\d{6,14}$` },
          to_user_id: { pattern: String.raw`^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$` },
        },
      },
      { required: ['to_user_id'], properties: { to: { type: 'null' } } },
    ]);
    expect(schemaOf('ButtonMessage')).toMatchObject({
      unevaluatedProperties: false,
      required: ['body', 'buttons'],
      allOf: [{ $ref: '#/components/schemas/Recipient' }],
      properties: {
        body: { minLength: 1, maxLength: 1_024 },
        footer: { type: ['string', 'null'], maxLength: 60 },
        buttons: { minItems: 1, maxItems: 3 },
      },
    });
    expect(schemaOf('ReplyButton').properties.title).toMatchObject({ maxLength: 20 });
    expect(dashboard.components.schemas.NewApiKey.properties.daily_limit).toMatchObject({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 1_000_000_000,
    });
    expect(schemaOf('MessageWithTimeline').additionalProperties).toBeUndefined();
  });

  it('says by a header’s type which content it has', () => {
    const header = validatorOf('MessageHeader');
    expect(schemaOf('MessageHeader').discriminator.propertyName).toBe('type');
    expect(header({ type: 'text', text: 'Hello' })).toBe(true);
    expect(header({ type: 'image', text: 'Hello' })).toBe(false);
    expect(header({ type: 'image', image: { link: 'https://example.com/a.png' } })).toBe(true);
    expect(header({ type: 'image', image: {} })).toBe(false);
    expect(schemaOf('MediaMessage').discriminator.propertyName).toBe('type');
    expect(schemaOf('CardHeader').discriminator.propertyName).toBe('type');
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
    const { post } = dashboard.paths['/api/v1/dashboard/playground'];
    const { schema } = post.responses['200'].content['application/json'];
    const { data } = followIn(dashboard, schema).properties;
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
