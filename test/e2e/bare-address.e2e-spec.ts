import { Stack } from '../support/stack.js';

describe('the address without a path', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start();
  });

  afterAll(() => stack?.stop());

  const read = (accept: string) =>
    fetch(`${stack.apis[0]?.url}/`, { headers: { accept }, redirect: 'manual' });

  it('leads a browser to the dashboard', async () => {
    const { status, headers } = await read('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([status, headers.get('location'), headers.get('vary')]).toEqual([
      302,
      '/dashboard',
      'accept',
    ]);
  });

  it.each(['*/*', 'application/json'])('tells a program where things are: %s', async (accept) => {
    const response = await read(accept);
    const { success, data } = (await response.json()) as {
      success: boolean;
      data: Record<string, string>;
    };
    expect([response.status, success]).toEqual([200, true]);
    const { api, ...pages } = data;
    expect(api).toMatch(/^https?:\/\/[^/]+\/api\/v1\/external$/);
    expect(Object.keys(pages)).toEqual(['dashboard', 'docs', 'openapi', 'health']);
    for (const address of Object.values(pages)) {
      const { pathname } = new URL(address);
      const { status } = await fetch(`${stack.apis[0]?.url}${pathname}`);
      expect([address, status]).toEqual([address, 200]);
    }
  });

  it('of the simulator says what it is, with links that work', async () => {
    const base = stack.simulator.url;
    const { name, links } = (await (await fetch(`${base}/`)).json()) as {
      name: string;
      links: Record<string, string>;
    };
    expect(name).toContain('simulator');
    for (const path of Object.values(links)) {
      expect([path, (await fetch(`${base}${path}`)).status]).toEqual([path, 200]);
    }
  });
});
