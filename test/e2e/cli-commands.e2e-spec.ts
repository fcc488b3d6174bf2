import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { newId } from '../../src/database/ids.js';
import { addApiKey } from '../support/api-keys.js';
import { Cli } from '../support/cli.js';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { insertMessage } from '../support/messages.js';
import { checkout, temporaryFolder } from '../support/npm-start.js';
import { freePort } from '../support/server-process.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';

/** Of the whole project: the command has the same. */
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
  version: string;
};

describe('the commands of parley', () => {
  let stack: Stack;
  let url: string;
  const started: Cli[] = [];

  const run = (
    args: readonly string[],
    env: Record<string, string> = {},
    ...more: [input?: string, program?: string]
  ) => {
    const cli = new Cli(
      args,
      { PARLEY_URL: url, PARLEY_KEY: installation.apiKey, ...env },
      ...more,
    );
    started.push(cli);
    return cli;
  };
  /** Runs it to its end, which must be a good one. */
  const done = async (...given: Parameters<typeof run>) => {
    const cli = run(...given);
    expect([await cli.ended, cli.stderr]).toEqual([0, '']);
    return cli;
  };
  const send = async (change: Record<string, unknown> = {}, apiKey = installation.apiKey) => {
    const body = buttonMessage({ to: newRecipient(), ...change });
    return (await stack.send('button', body, {}, { apiKey })).body.data.message_id as string;
  };
  /** A message that nobody sends while the test runs. */
  const queued = () => insertMessage(stack, { nextAttemptIn: 600 });

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
    url = stack.apis[0]?.url ?? '';
  });

  afterEach(() => {
    for (const cli of started.splice(0)) cli.kill();
  });

  afterAll(() => stack?.stop());

  describe('get', () => {
    it('shows a message with its timeline, for people and for programs', async () => {
      const id = await send({ reference: 'order-1042' });
      const { stdout } = await done(['get', id]);
      expect(stdout).toMatch(new RegExp(`^message {5}${id}\nstatus {6}\\w+\n`));
      expect(stdout).toContain('reference   order-1042\n');
      expect(stdout).toMatch(/\S+Z {2}sent {9}\w+\n/);
      const json = await done(['get', id, '--json']);
      expect(json.events).toMatchObject([{ message_id: id, reference: 'order-1042' }]);
    });

    it('says why a message failed', async () => {
      const { stdout } = await done(['trigger', 'failure'], { PARLEY_SIMULATOR: 'http://x.test' });
      const shown = await done(['get', stdout.split(' ')[0] ?? '']);
      expect(shown.stdout).toMatch(/\nerror {7}131026 \S.+\n/);
    });

    it('ends with 1 for a message that is not there, and says where to look', async () => {
      const cli = run(['get', newId()]);
      expect(await cli.ended).toBe(1);
      expect(cli.stderr).toMatch(/^error: MESSAGE_NOT_FOUND: .+\nparley list shows .+\nrequest id/);
    });
  });

  describe('list', () => {
    it('lists the newest first, as many as are wanted, of those that fit', async () => {
      const reference = newId();
      const ids = [await send({ reference }), await send({ reference }), await send({ reference })];
      const { lines } = await done(['list', '--reference', reference]);
      expect(lines.map((line) => line.split('  ')[1])).toEqual(ids.toReversed());
      const some = run(['list', '--reference', reference, '--limit', '2', '--json']);
      expect(await some.ended).toBe(0);
      expect(some.events.map(({ message_id }) => message_id)).toEqual([ids[2], ids[1]]);
      expect(some.stderr).toBe(`There are more: go on with --cursor ${ids[1]}\n`);
      const rest = await done(['list', '--reference', reference, '--cursor', ids[1] ?? '']);
      expect(rest.lines).toHaveLength(1);
      const none = ['list', '--reference', reference, '--created-before', '2026-01-01'];
      expect((await done(none)).lines).toEqual([]);
      const failed = ['list', '--reference', reference, '--status', 'failed', '--json'];
      expect((await done(failed)).lines).toEqual([]);
    });

    it('follows: what comes, and what changes its status, until Ctrl-C', async () => {
      const reference = newId();
      const first = await send({ reference });
      const args = ['list', '--reference', reference, '--follow', '--interval', '1', '--json'];
      const cli = run(args);
      await until(() => cli.stderr.includes('Following. Ctrl-C ends it.\n'));
      const second = await send({ reference });
      const seen = () => cli.events.map(({ message_id, status }) => `${message_id} ${status}`);
      await until(() => seen().includes(`${first} read`) && seen().includes(`${second} read`));
      expect(seen()).toEqual([...new Set(seen())]);
      expect(cli.events[0]?.message_id).toBe(first);
      expect(await cli.interrupt()).toBe(0);
      expect(cli.stderr).toMatch(/\nStopped\.\n$/);
    });
  });

  it('cancel takes a queued message back, and says when it is too late', async () => {
    const id = await queued();
    expect((await done(['cancel', id])).stdout).toBe(`${id} cancelled\n`);
    const late = run(['cancel', await send()]);
    expect(await late.ended).toBe(1);
    expect(late.stderr).toContain('error: MESSAGE_STATE: ');
    const json = await done(['cancel', await queued(), '--json']);
    expect(json.events).toMatchObject([{ status: 'cancelled' }]);
  });

  it('templates list lists those that fit', async () => {
    const category = 'UTILITY';
    const components = [{ type: 'BODY', text: 'Hello.' }];
    await putTemplates(stack, [
      { name: 'spring', language: 'en_US', category, components },
      { name: 'autumn', language: 'de', category, components, status: 'REJECTED' },
    ]);
    await sync(await Dashboard.signIn(stack));
    const list = (...args: string[]) => done(['templates', 'list', ...args]);
    expect((await list()).lines).toHaveLength(2);
    const { lines } = await list('--status', 'APPROVED');
    expect(lines).toEqual([expect.stringMatching(/^spring +en_US +APPROVED +UTILITY$/)]);
    expect((await list('--name', 'autumn', '--json')).events).toMatchObject([{ language: 'de' }]);
    expect((await list('--configured')).lines).toEqual([]);
  });

  describe('trigger', () => {
    const simulator = () => ({ PARLEY_SIMULATOR: stack.simulator.url });

    /** The messages that the key has received. */
    const received = async (key: string) => {
      const { body } = await stack.request('/events', { apiKey: key });
      return body.data.events
        .filter(({ event }: any) => event === 'message.received')
        .map(({ data }: any) => data);
    };

    const keyWithFeed = async (mode: 'live' | 'test') => {
      const { id, key } = await addApiKey(stack, { mode });
      await stack.sql('update api_keys set event_feed = true where id = $1', [id]);
      return key;
    };

    it.each([
      ['--text', 'Thanks', { type: 'text', text: { body: 'Thanks' } }],
      ['--button', 'yes', { type: 'button', button: { payload: 'yes', text: 'Yes' } }],
      ['--reaction', '👍', { type: 'reaction' }],
    ])('reply answers a message with %s', async (option, value, message) => {
      const key = await keyWithFeed('live');
      const id = await send({ reference: 'order' }, key);
      const cli = await done(['trigger', 'reply', id, option, value, '--json'], {
        ...simulator(),
        PARLEY_KEY: key,
      });
      expect(cli.events).toEqual([{ id: expect.stringMatching(/^wamid\./) }]);
      await until(async () => (await received(key)).length > 0);
      expect(await received(key)).toMatchObject([{ message }]);
    });

    it('reply says what the message offers', async () => {
      const cli = run(['trigger', 'reply', await send(), '--button', 'perhaps'], simulator());
      expect(await cli.ended).toBe(1);
      expect(cli.stderr).toBe(
        'error: the simulator says: the message has no button "perhaps"; it has "yes", "no"\n',
      );
    });

    it('reply says when nobody can have read the message', async () => {
      const cli = run(['trigger', 'reply', await queued(), '--text', 'x'], simulator());
      expect(await cli.ended).toBe(1);
      expect(cli.stderr).toContain('error: the message is queued: ');
    });

    it('message lets a user write, to a number that is given', async () => {
      const key = await keyWithFeed('live');
      const from = newRecipient();
      const args = ['--from', from, '--text', 'Hello', '--phone-number-id', '100000000000001'];
      const cli = await done(['trigger', 'message', ...args], simulator());
      expect(cli.stdout).toMatch(/^wamid\.\S+ received\n$/);
      await until(async () => (await received(key)).some((data: any) => data.from === from));
    });

    it('status sends with a test key alone, and waits for the status', async () => {
      const { key } = await addApiKey(stack, { mode: 'test' });
      const args = ['trigger', 'status', 'delivered', '--to', newRecipient(), '--json'];
      const cli = await done(args, { PARLEY_KEY: key });
      expect(cli.events).toEqual([
        expect.objectContaining({ status: expect.stringMatching(/^(delivered|read)$/) }),
      ]);
    });

    it.each([[[]], [['--later']]])('failure fails with a test key alone, %j', async (more) => {
      const { key } = await addApiKey(stack, { mode: 'test' });
      const args = ['trigger', 'failure', '--code', '131047', ...more];
      const cli = await done(args, { PARLEY_KEY: key });
      expect(cli.stdout).toMatch(/^[\da-f-]{36} failed 131047 \S.+\n$/);
    });

    it('sends nothing with a live key, unless a simulator is named', async () => {
      for (const args of [['status', 'sent'], ['failure']]) {
        const cli = run(['trigger', ...args]);
        expect(await cli.ended).toBe(2);
        expect(cli.stderr).toContain('this key sends to real phones');
      }
    });

    it('takes simulator and key from a npm start of the checkout', async () => {
      const folder = temporaryFolder();
      const found = { api_url: url, api_key: installation.apiKey };
      const simulated = { ...found, simulator_url: stack.simulator.url };
      writeFileSync(join(folder, 'run.json'), JSON.stringify(simulated));
      const none = { PARLEY_URL: '', PARLEY_KEY: '', DATA_DIR: folder };
      const args = ['--from', newRecipient(), '--text', 'Hello'];
      await done(['trigger', 'message', ...args], none);
      const cli = run(['trigger', 'status', 'sent', '--to', newRecipient()], none);
      expect(await cli.ended).toBe(0);
      const other = run(['trigger', 'failure'], { DATA_DIR: folder, PARLEY_KEY: 'pk_live_other' });
      expect(await other.ended).toBe(2);
    });

    it('ends with 3 if there is no simulator', async () => {
      const gone = `http://127.0.0.1:${await freePort()}`;
      const args = ['--from', newRecipient(), '--text', 'x', '--simulator', gone];
      const cli = run(['trigger', 'message', ...args]);
      expect(await cli.ended).toBe(3);
      expect(cli.stderr).toContain(`error: cannot reach the simulator at ${gone}: `);
    });
  });

  describe('login', () => {
    let home: Record<string, string>;
    let path: string;
    const login = (args: readonly string[], input = '', env: Record<string, string> = {}) =>
      run(['login', ...args], { ...home, ...env }, input);

    beforeEach(() => {
      const folder = temporaryFolder();
      home = { XDG_CONFIG_HOME: folder, PARLEY_URL: '', PARLEY_KEY: '' };
      path = join(folder, 'parley/login.json');
    });

    it('checks address and key, and saves them for their owner alone', async () => {
      const { id, key } = await addApiKey(stack);
      await stack.sql('update api_keys set event_feed = true where id = $1', [id]);
      const cli = login(['--url', url], `${key}\n`);
      expect([await cli.ended, cli.stderr]).toEqual([0, '']);
      expect(cli.stdout).toBe(`Logged in to ${url}; saved in ${path}\n`);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ url, key });
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
      const to = newRecipient();
      await done(['send', 'text', '--to', to, '--body', 'Hello'], home);
      expect(await stack.ledger(to)).toHaveLength(1);
    });

    it('takes the key as an option, keeps it to itself, and says what the key cannot do', async () => {
      const { key } = await addApiKey(stack, { permissions: ['send_text'] });
      const cli = login(['--url', url, '--key', key, '--json']);
      expect(await cli.ended).toBe(0);
      expect(cli.events).toEqual([{ url, path, event_feed: false }]);
      expect(cli.stderr).toBe('This key cannot read an event feed, which parley listen needs.\n');
      expect(`${cli.stdout}${cli.stderr}`).not.toContain(key);
    });

    it('asks at a terminal, and does not show the key', () => {
      const answers = `${url}\n${installation.apiKey}\n`;
      // Answers what it is asked, and prints all that the terminal shows.
      const terminal = `
import os, pty, sys
answers = [text.encode() + b"\\r" for text in sys.argv[1].split()]
def read(fd):
    shown = os.read(fd, 4096)
    if answers and (b"]: " in shown or b"shown): " in shown): os.write(fd, answers.pop(0))
    return shown
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:], read, lambda fd: b"")))`;
      const command = [process.execPath, join(checkout, 'clients/cli/parley.mjs'), 'login'];
      const shown = execFileSync('python3', ['-c', terminal, answers, ...command], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, ...home },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      expect(shown).toContain(`Logged in to ${url}; saved in ${path}`);
      expect(shown).not.toContain(installation.apiKey);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ url, key: installation.apiKey });
    });

    it('saves nothing that is wrong', async () => {
      const wrong = login(['--url', url], 'pk_live_wrong');
      expect(await wrong.ended).toBe(1);
      expect(wrong.stderr).toMatch(/^error: INVALID_API_KEY: .+\nLook at the key/);
      const away = login(['--url', `http://127.0.0.1:${await freePort()}`], installation.apiKey);
      expect(await away.ended).toBe(3);
      const nothing = login(['--url', url]);
      expect(await nothing.ended).toBe(2);
      const noAddress = login(['--key', installation.apiKey]);
      expect([await noAddress.ended, noAddress.stderr]).toEqual([
        2,
        'error: which address? Give it with --url.\n',
      ]);
      expect(existsSync(path)).toBe(false);
    });

    describe('when something is saved', () => {
      const save = (text: string) => {
        mkdirSync(join(path, '..'), { recursive: true });
        writeFileSync(path, text);
      };

      it('variables and options outweigh it', async () => {
        save(JSON.stringify({ url, key: 'pk_live_saved' }));
        expect(await run(['list'], home).ended).toBe(1);
        await done(['list'], { ...home, PARLEY_KEY: installation.apiKey });
        await done(['list', '--key', installation.apiKey], home);
        const told = login(['--url', url], installation.apiKey, { PARLEY_KEY: 'pk_live_x' });
        expect(await told.ended).toBe(0);
        expect(told.stderr).toContain('PARLEY_KEY is set, and outweighs what is saved.\n');
      });

      it('its key goes to no other server', async () => {
        save(JSON.stringify({ url, key: installation.apiKey }));
        await done(['list', '--url', `${url}/`], home);
        const cli = run(['list', '--url', 'http://other.test'], home);
        expect(await cli.ended).toBe(2);
        expect(cli.stderr).toContain(`The saved one is for ${url}.`);
      });

      it('says so when it cannot be read', async () => {
        for (const text of ['{', '{"url":"http://a"}']) {
          save(text);
          const cli = run(['list'], home);
          expect([await cli.ended, cli.stderr]).toEqual([
            2,
            `error: ${path} is no saved login. Run parley login again.\n`,
          ]);
        }
      });

      it('logout deletes it', async () => {
        save(JSON.stringify({ url, key: installation.apiKey }));
        expect((await done(['logout'], home)).stdout).toBe(`Logged out; ${path} is deleted.\n`);
        expect(existsSync(path)).toBe(false);
        const again = await done(['logout', '--json'], home);
        expect(again.events).toEqual([{ path, deleted: false }]);
        expect(await run(['list'], home).ended).toBe(2);
      });
    });
  });

  it.each([
    [['get'], "missing required argument 'id'"],
    [['list', '--limit', '0'], 'It is a whole number from 1 to'],
    [['list', '--status', 'gone'], 'Allowed choices are scheduled, queued'],
    [['list', '--created-after', 'yesterday'], '"yesterday" is no time'],
    [['list', '--follow', '--cursor', 'x'], '--follow goes on with what comes'],
    [['trigger', 'reply', 'x'], 'give one of --text, --button, --row, --reaction'],
    [['trigger', 'status', 'gone'], '"gone" is none of sent, delivered, read'],
    [['trigger', 'message', '--from', '+1', '--text', 'x'], 'which simulator?'],
    [['trigger', 'failure', '--code', 'x'], 'It is a whole number from 1 to 999999'],
  ])('ends with 2 for %j', async (args, told) => {
    const cli = run(args);
    expect([await cli.ended, cli.stdout]).toEqual([2, '']);
    expect(cli.stderr).toContain(told);
  });

  it.each([
    'get',
    'list',
    'cancel',
    'templates list',
    'login',
    'logout',
    'trigger',
    'trigger reply',
    'trigger message',
    'trigger status',
    'trigger failure',
  ])('the help of %s has an example', async (command) => {
    const { stdout } = await done([...command.split(' '), '--help']);
    expect(stdout).toMatch(new RegExp(`^Usage: parley ${command} `));
    expect(stdout).toMatch(new RegExp(`\nExamples?:\n  parley ${command}`));
  });

  it('names itself and its version to the API', async () => {
    const names: (string | undefined)[] = [];
    const server: Server = createServer(({ headers }, response) => {
      names.push(headers['user-agent']);
      response.end(JSON.stringify({ data: { messages: [], next_cursor: null }, meta: {} }));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    await done(['list', '--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
    expect(names).toEqual([`parley-cli/${version}`]);
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  describe('as a package of its own', () => {
    const folder = temporaryFolder();
    const program = join(folder, 'node_modules/.bin/parley');
    const npm = (args: string[], cwd: string) =>
      execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, npm_config_cache: join(folder, 'cache') },
      });

    beforeAll(() => {
      npm(['pack', '--pack-destination', folder], join(checkout, 'clients/cli'));
      writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true }');
      npm(['install', `./parley-cli-${version}.tgz`], folder);
    });

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('is one file, needs no other package, and keeps the licence of what it contains', () => {
      const installed = join(folder, 'node_modules/parley-cli');
      const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
      expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
      const files = execFileSync('find', ['node_modules', '-type', 'f', '-not', '-name', '.*'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(
        files
          .trim()
          .split('\n')
          .toSorted((one, other) => one.localeCompare(other)),
      ).toEqual([
        'node_modules/parley-cli/dist/parley.js',
        'node_modules/parley-cli/package.json',
        'node_modules/parley-cli/README.md',
      ]);
      const text = readFileSync(join(installed, 'dist/parley.js'), 'utf8');
      expect(text).toContain('Copyright (c) 2011 TJ Holowaychuk');
      expect(text).not.toContain(checkout);
    });

    it('runs: version, help, a send, what is wrong', async () => {
      const installed = (args: string[], env = {}) => run(args, env, '', program);
      const told = installed(['--version']);
      expect([await told.ended, told.stdout]).toEqual([0, `${version}\n`]);
      const help = installed(['--help']);
      expect([await help.ended, help.stderr]).toEqual([0, '']);
      const to = newRecipient();
      const sent = installed(['send', 'text', '--to', to, '--body', 'Hello']);
      expect([await sent.ended, sent.stderr]).toEqual([0, '']);
      expect(await stack.ledger(to)).toHaveLength(1);
      const wrong = installed(['get', newId()]);
      expect(await wrong.ended).toBe(1);
      expect(wrong.stderr).toContain('error: MESSAGE_NOT_FOUND: ');
    });

    it('takes nothing from a npm start of the folder that it is installed in', async () => {
      mkdirSync(join(folder, '.parley'), { recursive: true });
      const found = { api_url: url, api_key: installation.apiKey };
      writeFileSync(join(folder, '.parley/run.json'), JSON.stringify(found));
      const none = { PARLEY_URL: '', PARLEY_KEY: '', DATA_DIR: join(folder, '.parley') };
      const cli = run(['list'], none, '', program);
      expect(await cli.ended).toBe(2);
      expect(cli.stderr).toMatch(/^error: which API key\? Run parley login, .+\n$/);
    });
  });
});
