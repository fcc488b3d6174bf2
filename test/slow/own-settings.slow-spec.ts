import { Dashboard, newKey } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';

const credentials = { email: installation.adminEmail, password: installation.adminPassword };

/** What standing stacks cannot show: they have a simulator, reach WhatsApp, and are called by http. */
describe('an installation under an https address, without a simulator and a request log, cut off from WhatsApp', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({
      workers: 0,
      env: {
        PUBLIC_URL: 'https://parley.example/',
        SIMULATOR_URL: '',
        PLATFORM_BASE_URL: 'http://127.0.0.1:1/v25.0',
        REQUEST_LOG_DAYS: '0',
      },
    });
  });

  afterAll(() => stack?.stop());

  it('has a cookie for https alone, and takes requests from that address alone', async () => {
    const from = (origin?: string) =>
      new Dashboard(stack).call('POST', '/session', credentials, {
        headers: origin ? { Origin: origin } : {},
      });
    const answer = await from('https://parley.example');
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-parley_session_\w{8}=.*; Path=\/; .*; Secure$/,
    );
    expect(answer.body.data.public_url).toBe('https://parley.example');
    expect((await from()).status).toBe(200);
    expect((await from(stack.apis[0]?.url)).body.error.code).toBe('FORBIDDEN');
  });

  it('makes no key of mode test', async () => {
    const user = await Dashboard.signIn(stack);
    const { status, body } = await user.call('POST', '/api-keys', newKey({ mode: 'test' }));
    expect(status).toBe(400);
    expect(body.error.details.fields).toHaveProperty('mode');
    expect((await user.get('GET', '/session')).simulator).toBe(false);
  });

  it('says why an account cannot be checked', async () => {
    const user = await Dashboard.signIn(stack);
    const check = await user.get('POST', `/accounts/${installation.accountId}/check`);
    expect(check).toMatchObject({ ok: false, health: null, error: expect.any(Object) });
  });

  it('logs no requests of callers if it keeps them for no days', async () => {
    expect((await stack.get('/messages')).status).toBe(200);
    expect((await stack.get('/messages', { apiKey: null })).status).toBe(401);
    const user = await Dashboard.signIn(stack);
    const { body } = await user.call('GET', '/requests');
    expect([body.data.requests, body.meta.kept_days]).toEqual([[], 0]);
    const [key] = (await user.get('GET', '/api-keys')).api_keys;
    const kept = await user.call('POST', `/api-keys/${key.id}/keep-bodies`, { minutes: 60 });
    expect([kept.status, kept.body.error.code]).toEqual([409, 'CONFLICT']);
    // A process that stops writes what it has gathered.
    await stack.apis[0]?.stop();
    expect(await stack.sql('select id from request_log')).toEqual([]);
  });
});
