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

  it.each(['*/*', 'application/json'])('is unknown to a program: %s', async (accept) => {
    const response = await read(accept);
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { success: false, error: { code: 'NOT_FOUND' } },
    ]);
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
