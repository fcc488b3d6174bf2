import { apiDocuments } from '../support/api-document.js';
import { Stack } from '../support/stack.js';

describe('the OpenAPI document', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start();
  });

  afterAll(() => stack?.stop());

  it.each(Object.entries(apiDocuments))(
    '%s is served as it is committed',
    async (name, document) => {
      const { status, headers, body } = await stack.requestAt(`/${name}`, { apiKey: null });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toContain('application/json');
      expect(body).toEqual(document);
    },
  );

  it('has a page that loads nothing from elsewhere and runs nothing inline', async () => {
    const { status, headers, text } = await stack.requestAt('/docs', { apiKey: null });
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(text).not.toMatch(/<script(?![^>]* src="\/docs\/)|\son\w+=|https?:/);
    const files = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path);
    expect(files).toHaveLength(4);
    for (const file of files) {
      expect((await stack.requestAt(file ?? '', { apiKey: null })).status).toBe(200);
    }
    const other = await stack.requestAt('/docs/..%2Fpackage.json', { apiKey: null });
    expect([other.status, other.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('is true for health', async () => {
    // `requestAt` holds every answer to the document; the tests of health ask without it.
    for (const path of ['/health/live', '/health/ready']) {
      expect((await stack.requestAt(path, { apiKey: null })).status).toBe(200);
    }
  });
});
