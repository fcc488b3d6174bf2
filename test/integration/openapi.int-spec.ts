import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { catalogue } from '../../src/errors/catalogue.js';

const run = promisify(execFile);
const script = (...options: string[]) => run('node', ['scripts/openapi.mjs', ...options]);

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

describe('docs/openapi.json', () => {
  it('is what the built API says, and so are the types of the page; else run npm run openapi', async () => {
    await expect(script('--check')).resolves.toMatchObject({ stderr: '' });
  });

  it('has every route that the API registers, and no other', async () => {
    const registered: string[] = JSON.parse((await script('--routes')).stdout);
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
    '%s wants a key and tells how it is refused',
    (_, { security, responses }) => {
      expect(security).toEqual([{ apiKey: [] }]);
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['401', '403', '429', '500', '503']),
      );
    },
  );

  it.each(operations.filter(([route]) => route.includes('/api/v1/dashboard/')))(
    '%s wants a session, unless it makes one',
    (_, { security, operationId }) => {
      expect(security).toEqual(operationId === 'signIn' ? [] : [{ session: [] }]);
    },
  );

  it('has every code of the catalogue', () => {
    const codes = Object.values<any>(document.components.schemas).map(
      (schema) => schema.properties?.code?.const,
    );
    expect(codes).toEqual(expect.arrayContaining(Object.keys(catalogue)));
  });

  it('has the limits that requests are held to, and refuses unknown fields', () => {
    expect(schemaOf('ButtonMessage')).toMatchObject({
      additionalProperties: false,
      required: ['to', 'body', 'buttons'],
      properties: {
        to: { pattern: String.raw`^\+[1-9]\d{6,14}$` },
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
});
