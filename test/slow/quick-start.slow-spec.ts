import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout, NpmStart, type Run, temporaryFolder } from '../support/npm-start.js';
import { freePort, ownPorts } from '../support/server-process.js';
import { until } from '../support/until.js';

const page = readFileSync(join(checkout, 'docs/quick-start.md'), 'utf8');

/** The commands of a step. */
const commandsOf = (step: number) => {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${step}. `)) ?? '';
  return [...text.matchAll(/```sh\n([^`]+)```/g)].map(([, command = '']) => command);
};

/** Plays docs/quick-start.md as it is written, after other messages to the same phone. */
describe('the quick start', () => {
  const data = temporaryFolder();
  let started: NpmStart;
  let run: Run;
  let receiverPort: number;
  let receiver: ChildProcess;
  let printed = '';
  let cookie = '';

  beforeAll(async () => {
    receiverPort = await freePort();
    started = new NpmStart(checkout, data, await ownPorts());
    run = await started.ready();
    for (const id of ['other', 'no']) {
      await external('/messages/interactive/button', {
        to: '+14155550123',
        body: 'Another question',
        buttons: [{ id, title: id }],
      });
    }
    const { admin_email: email, admin_password: password } = run;
    const answer = await dashboard('POST', '/session', { email, password });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  }, 120_000);

  afterAll(async () => {
    receiver?.kill('SIGKILL');
    await started?.destroy();
  });

  /** The page's addresses and folder, as they are here. */
  const here = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:3002', run.simulator_url)
      .replaceAll('127.0.0.1:4000', `127.0.0.1:${receiverPort}`)
      .replaceAll('verify.py 4000', `verify.py ${receiverPort}`)
      .replaceAll('./.parley/run.json', join(data, 'run.json'));

  const environment = () => ({
    ...process.env,
    PARLEY_KEY: run.api_key,
    PARLEY_URL: run.api_url,
    PARLEY_SIMULATOR: run.simulator_url,
  });

  const play = (command: string) =>
    execFileSync('bash', ['-ec', here(command)], {
      cwd: checkout,
      encoding: 'utf8',
      env: environment(),
    });

  const external = (path: string, body: object) =>
    fetch(`${run.api_url}/api/v1/external${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': run.api_key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  const dashboard = (method: string, path: string, body?: object) =>
    fetch(`${run.api_url}/api/v1/dashboard${path}`, {
      method,
      headers: { cookie, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });

  const dataOf = async (answer: Promise<Response>) => {
    const { data: content } = (await (await answer).json()) as { data: any };
    return content;
  };

  const demoKey = async () => (await dataOf(dashboard('GET', '/api-keys'))).api_keys[0];

  it('reads the key and the addresses', () => {
    const [, read = ''] = commandsOf(1);
    const told = play(`${read}\necho "$PARLEY_KEY $PARLEY_SIMULATOR"`).trim();
    expect(told).toBe(`${run.api_url}\n${run.api_key} ${run.simulator_url}`);
  });

  it('sends a message and sees its result', async () => {
    const [send = ''] = commandsOf(2);
    expect(JSON.parse(play(send))).toMatchObject({ data: { status: 'sent' } });
    const [look = ''] = commandsOf(3);
    await until(() => JSON.parse(play(look)).data.messages[0].status === 'read');
    // The last message of the phone is not the one of the page.
    await external('/messages/interactive/button', {
      to: '+14155550123',
      body: 'One more question',
      buttons: [{ id: 'later', title: 'Later' }],
    });
  });

  it('names what the dashboard has', () => {
    const sources = readdirSync(join(checkout, 'web/src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => readFileSync(join(checkout, 'web/src', name), 'utf8'))
      .join('\n');
    const named = [...page.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => name !== 'demo' && !sources.includes(name))).toEqual([]);
    expect(page).toContain('the key **demo**');
  });

  it('gets the reply to its own message', async () => {
    const key = await demoKey();
    expect(key.name).toBe('demo');
    const [, url = ''] = /Set the URL to\s+`([^`]+)`/.exec(page) ?? [];
    await dashboard('PATCH', `/api-keys/${key.id}`, { webhook_url: here(url) });
    const rotated = await dataOf(
      dashboard('POST', `/api-keys/${key.id}/webhook/rotate-secret`, {}),
    );
    const [receive = '', reply = ''] = commandsOf(4);
    const secret = Object.values(rotated).find((value) => String(value).startsWith('whsec_'));
    receiver = spawn(
      'bash',
      [
        '-ec',
        `exec ${here(receive).replace('whsec_…', String(secret))}`.replace(
          'exec cd docs/examples &&',
          'cd docs/examples && exec env',
        ),
      ],
      {
        cwd: checkout,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    receiver.stdout?.on('data', (text: Buffer) => {
      printed += text.toString();
    });
    await until(() =>
      fetch(here('http://127.0.0.1:4000/'), { method: 'POST' }).then(
        ({ status }) => status === 401,
        () => false,
      ),
    );
    play(reply);
    const event = await until(() =>
      printed
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
        .find((each) => each.event === 'message.received'),
    );
    expect(event.data.message.button.payload).toBe('yes');
    expect(event.data.context.reference).toBe('order-1042');
  });

  it('puts the demo’s webhook back', async () => {
    const [, url = ''] = /set the URL to\s+`([^`]+)`/.exec(page) ?? [];
    const key = await demoKey();
    const { status } = await dashboard('PATCH', `/api-keys/${key.id}`, { webhook_url: here(url) });
    expect([here(url), status]).toEqual([`${run.simulator_url}/_simulator/receiver`, 200]);
    play(commandsOf(4)[1] ?? '');
    await until(async () => {
      const { requests } = (await (await fetch(here(url))).json()) as { requests: any[] };
      return requests.some(({ body }) => body.data.context?.reference === 'order-1042');
    });
  });
});
