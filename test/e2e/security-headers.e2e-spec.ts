import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Dashboard } from '../support/dashboard.js';
import { buttonMessage, Stack } from '../support/stack.js';

/** What every answer carries, whatever it is. */
const common = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
};

const headersOf = (headers: Headers, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, headers.get(name)]));

describe.each(['http', 'https'])('an answer under a public address with %s', (scheme) => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start({
      workers: 0,
      ...(scheme === 'https' && { env: { PUBLIC_URL: 'https://parley.example' } }),
    });
    operator = await Dashboard.signIn(stack);
  });

  afterAll(() => stack?.stop());

  it.each<[string, () => Promise<{ headers: Headers }>]>([
    ['a send', () => stack.send('button', buttonMessage(), { Prefer: 'respond-async' })],
    ['a refused body', () => stack.send('button', {})],
    ['a refused key', () => stack.get('/messages', { apiKey: 'pk_live_no' })],
    ['the dashboard’s REST', () => operator.call('GET', '/api-keys')],
    ['a refused sign-in', () => new Dashboard(stack).call('GET', '/session')],
    ['the dashboard’s page', () => stack.requestAt('/dashboard')],
    ['the documentation', () => stack.requestAt('/docs')],
    ['the document', () => stack.requestAt('/openapi.json')],
    ['health', () => stack.requestAt('/health/live')],
    ['an unknown route', () => stack.requestAt('/nothing')],
    ['an address that cannot be read', () => stack.requestAt('/%c0%80')],
  ])('runs no inline script, keeps its type and sends no referrer: %s', async (_, ask) => {
    const { headers } = await ask();
    expect(headersOf(headers, Object.keys(common))).toEqual(common);
    const policy = headers.get('content-security-policy') ?? '';
    // The reference builds its styles in the browser. No page runs a script that is not ours.
    expect(policy.replace("style-src 'self' 'unsafe-inline'", '')).not.toContain('unsafe');
    expect(headers.get('server')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('with personal data is cached nowhere', async () => {
    const answers = [
      await stack.get('/messages'),
      await stack.get('/messages', { apiKey: 'pk_live_no' }),
      await operator.call('GET', '/api-keys'),
      await stack.requestAt('/dashboard'),
    ];
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(
      answers.map(() => 'no-store'),
    );
  });

  it(`${scheme === 'https' ? 'keeps browsers' : 'does not keep browsers'} to https`, async () => {
    const { headers } = await stack.requestAt('/dashboard');
    const wanted = scheme === 'https' ? 'max-age=31536000; includeSubDomains' : null;
    expect(headers.get('strict-transport-security')).toBe(wanted);
  });

  it('to something that is not HTTP carries them, too', async () => {
    const socket = connect(stack.apis[0]?.port ?? 0, '127.0.0.1');
    socket.write('HELLO\r\n\r\n');
    const [head = ''] = (await text(socket)).toLowerCase().split('\r\n\r\n');
    expect(head).toContain('x-content-type-options: nosniff');
    expect(head).toContain('cache-control: no-store');
  });

  it.each(['TRACE', 'TRACK', 'CONNECT'])('echoes nothing: %s', async (method) => {
    const socket = connect(stack.apis[0]?.port ?? 0, '127.0.0.1');
    socket.end(`${method} / HTTP/1.1\r\nHost: x\r\nX-Canary: canary\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).not.toMatch(/^HTTP\/1\.1 2/);
    expect(answer.toLowerCase()).not.toContain('canary');
  });
});
