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

  it('is among the pages for programs: llms.txt, and each that it names', async () => {
    const { status, headers, text } = await stack.requestAt('/llms.txt', { apiKey: null });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(30);
    for (const link of links) {
      const page = await stack.requestAt(`/${link}`, { apiKey: null });
      expect([link, page.status, page.text.length > 100]).toEqual([link, 200, true]);
    }
    for (const other of ['/docs/guides/..%2fapi.md', '/clients/none/README.md', '/docs/no.md']) {
      expect((await stack.requestAt(other, { apiKey: null })).status).toBe(404);
    }
  });

  it('is true for health', async () => {
    // `requestAt` holds every answer to the document; the tests of health ask without it.
    for (const path of ['/health/live', '/health/ready']) {
      expect((await stack.requestAt(path, { apiKey: null })).status).toBe(200);
    }
  });
});
