import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Cli } from '../support/cli.js';
import { installation } from '../support/installation.js';
import { temporaryFolder } from '../support/npm-start.js';
import { freePort } from '../support/server-process.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { demoNumber, newWamid, notification, notify, textMessage } from '../support/webhooks.js';

describe('the command parley', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  const started: Cli[] = [];

  const run = (args: readonly string[], env: Record<string, string> = {}, input = '') => {
    const cli = new Cli(args, { PARLEY_URL: stack.apis[0]?.url ?? '', ...env }, input);
    started.push(cli);
    return cli;
  };

  beforeAll(async () => {
    stack = await Stack.start();
    receiver = await WebhookReceiver.start();
  });

  afterEach(() => {
    for (const cli of started.splice(0)) cli.kill();
  });

  afterAll(async () => {
    await receiver?.close();
    await stack?.stop();
  });

  describe('listen', () => {
    let number: typeof demoNumber;
    let key: string;
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

    beforeEach(async () => {
      const accountId = await addAccount(stack);
      const [account] = await stack.sql('select phone_number_id from accounts where id = $1', [
        accountId,
      ]);
      number = { ...demoNumber, phoneNumberId: account.phone_number_id };
      const made = await addApiKey(stack, { accountId });
      key = made.key;
      await stack.sql('update api_keys set event_feed = true where id = $1', [made.id]);
    });

    const listen = (args: readonly string[] = [], env: Record<string, string> = {}) =>
      run(['listen', ...args], { PARLEY_KEY: key, ...env });
    const send = async (): Promise<string> =>
      (await stack.send('button', buttonMessage({ to: newRecipient() }), {}, { apiKey: key })).body
        .data.message_id;
    const say = (body: string) =>
      notify(stack, notification({ messages: [textMessage({ text: { body } })] }, number), {
        secret: 'secret',
      });
    const feedHas = (count: number) =>
      until(
        async () =>
          (await stack.request('/events', { apiKey: key })).body.data.events.length === count,
      );

    it('prints what comes from now on, and posts it, signed with a secret of its own', async () => {
      await send();
      await feedHas(1);
      const cli = await listen(['--forward-to', receiver.url('/new')]).listens();
      await say('Hi\n\u001b[31mthere');
      await cli.has(1);
      const id = await send();
      await cli.has(2);
      expect(cli.lines[0]).toMatch(
        /^\S+Z {2}message\.received {2}\+14155550199: Hi\\u000a\\u001b\[31mthere {2}-> 200$/,
      );
      expect(cli.lines[1]).toContain(`message.status    ${id} sent  -> 200`);
      const made = /whsec_\S+/.exec(cli.stderr)?.[0] ?? '';
      expect(cli.stderr.split(made)).toHaveLength(2);
      const posted = receiver.at('/new');
      expect(posted.map(({ body }) => body.event)).toEqual(['message.received', 'message.status']);
      for (const { raw, headers } of posted) {
        const verified = new Webhook(made).verify(raw, headers as Record<string, string>);
        expect(verified).toEqual(JSON.parse(raw));
      }
      expect(`${cli.stdout}${cli.stderr}`).not.toContain(key);
    });

    it('posts what a webhook of the key gets, byte for byte', async () => {
      await stack.request('/webhooks', { body: { url: receiver.url('/webhook') }, apiKey: key });
      const cli = await listen(['--forward-to', receiver.url('/same')]).listens();
      await say('Grüße 👋');
      await cli.has(1);
      const [wanted] = await until(
        () => receiver.at('/webhook').length > 0 && receiver.at('/webhook'),
      );
      const [posted] = receiver.at('/same');
      expect(posted?.raw).toBe(wanted?.raw);
      expect(posted?.headers['webhook-id']).toBe(wanted?.headers['webhook-id']);
    });

    it('prints JSON with --json, from the start with --from-start, of some types', async () => {
      await send();
      await say('Hello');
      await feedHas(2);
      const cli = listen(['--json', '--from-start', '--types', 'message.received']);
      await cli.has(1);
      const { events } = (await stack.request('/events', { apiKey: key })).body.data;
      const received = events.find(({ event }: any) => event === 'message.received');
      expect(cli.events).toEqual([{ ...received, forwarded: null }]);
    });

    it('prints messages of every form, also of one that it does not know', async () => {
      const cli = await listen().listens();
      const reply = (interactive: object) => ({ type: 'interactive', interactive });
      const response_json = '{"slot":"11"}';
      const contents: [object, string][] = [
        [reply({ type: 'nfm_reply', nfm_reply: { response_json } }), '(flow_reply) {"slot":"11"}'],
        [reply({ type: 'list_reply', list_reply: { id: 'a', title: 'A' } }), '[a] A'],
        [reply({ type: 'call_permission_reply', call_permission_reply: {} }), '(interactive)'],
        [{ type: 'interactive' }, '(interactive)'],
        [{ type: 'button' }, '(button)'],
        [{ type: 'location', location: { latitude: 1.5, longitude: -2 } }, '(location) 1.5, -2'],
        [{ type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '👍' } }, '(reaction) 👍'],
        [{ type: 'revoke', revoke: { original_message_id: 'wamid.1' } }, '(revoke) wamid.1'],
        [
          { type: 'edit', edit: { original_message_id: 'wamid.1', message: { type: 'text' } } },
          '(edit) wamid.1',
        ],
        [{ type: 'request_welcome' }, '(request_welcome)'],
      ];
      for (const [index, [content, shown]] of contents.entries()) {
        const message = textMessage({ text: undefined, ...content });
        await notify(stack, notification({ messages: [message] }, number), { secret: 'secret' });
        await cli.has(index + 1);
        expect(cli.lines[index]).toMatch(/ {2}message\.received {2}\+14155550199: /);
        expect(cli.lines[index]?.split('199: ')[1]).toBe(shown);
      }
    });

    it('prints what others write from the number, and what users write to its agent', async () => {
      const cli = await listen().listens();
      const tell = (field: string, value: Record<string, unknown>) => {
        const body = notification(value, number);
        for (const { changes } of body.entry) for (const each of changes) each.field = field;
        return notify(stack, body, { secret: 'secret' });
      };
      const { from, ...echo } = textMessage({ text: { body: 'We open at nine.' } });
      const ofOwner = { ...echo, from: number.displayPhoneNumber, to: from };
      const revoke = { original_message_id: 'wamid.1' };
      await tell('smb_message_echoes', { message_echoes: [ofOwner] });
      await cli.has(1);
      await tell('smb_message_echoes', {
        message_echoes: [{ ...ofOwner, id: newWamid(), type: 'revoke', revoke }],
      });
      await cli.has(2);
      await tell('standby', { messages: [textMessage({ text: { body: 'Hello' } })] });
      await cli.has(3);
      expect(cli.lines.map((line) => line.split('  ').slice(1).join('  '))).toEqual([
        'message.echo      to +14155550199: We open at nine.',
        'message.echo      to +14155550199: wamid.1 revoked',
        'message.standby   +14155550199: Hello',
      ]);
    });

    it('repeats what fails, then says so and goes on; a given secret is not printed', async () => {
      receiver.react('/fails', (count) => ({ status: count <= 4 ? 500 : 204 }));
      const cli = listen(['--json', '--from-start', '--forward-to', receiver.url('/fails')], {
        PARLEY_WEBHOOK_SECRET: secret,
      });
      await send();
      await send();
      await cli.has(2);
      expect(cli.events.map(({ forwarded }) => forwarded)).toEqual([
        { status: 500, attempts: 4, error: 'answered 500' },
        { status: 204, attempts: 1, error: null },
      ]);
      const posted = receiver.at('/fails');
      expect(new Set(posted.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
      for (const { raw, headers } of posted) {
        new Webhook(secret).verify(raw, headers as Record<string, string>);
      }
      expect(cli.stderr.match(/answered 500; trying again/g)).toHaveLength(3);
      expect(`${cli.stdout}${cli.stderr}`).not.toContain(secret);
    });

    it('ends with 0 on SIGINT, and tells the cursor to go on with', async () => {
      const first = await listen(['--json']).listens();
      await send();
      await first.has(1);
      expect(await first.interrupt()).toBe(0);
      const [, cursor = ''] = /Stopped\. Go on with: --cursor (\S+)\n/.exec(first.stderr) ?? [];
      const missed = await send();
      const second = listen(['--json', '--cursor', cursor]);
      await until(() => second.events.some(({ data }) => data.message_id === missed));
    });

    it('ends with 0 on SIGINT while the local program hangs, and posts that event again', async () => {
      receiver.react('/hangs', (count) => (count === 1 ? 'hang' : { status: 200 }));
      const path = join(temporaryFolder(), 'cursor');
      const args = ['--cursor-file', path, '--forward-to', receiver.url('/hangs')];
      const first = await listen(args).listens();
      await send();
      await until(() => receiver.at('/hangs').length > 0);
      expect([await first.interrupt(), first.stdout]).toEqual([0, '']);
      await listen(args).has(1);
      const [hung, again] = receiver.at('/hangs');
      expect(again?.headers['webhook-id']).toBe(hung?.headers['webhook-id']);
    });

    it('goes on from its cursor file, without a loss, also when it was killed', async () => {
      const folder = temporaryFolder();
      const args = ['--json', '--cursor-file', join(folder, 'cursor')];
      const first = await listen(args).listens();
      const atEnd = readFileSync(join(folder, 'cursor'), 'utf8');
      const sent = [await send()];
      await first.has(1);
      await until(() => readFileSync(join(folder, 'cursor'), 'utf8') !== atEnd);
      first.kill();
      await first.ended;
      sent.push(await send(), await send());
      const second = listen(args);
      await second.has(2);
      expect([...first.events, ...second.events].map(({ data }) => data.message_id)).toEqual(sent);
      expect(readdirSync(folder)).toEqual(['cursor']);
    });

    it('stores nothing without one, and says when it cannot', async () => {
      const cli = listen(['--cursor-file', '/nowhere/cursor']);
      expect(await cli.ended).toBe(2);
      expect(cli.stderr).toContain('cannot write the cursor file');
      expect(existsSync('/nowhere')).toBe(false);
    });

    it('says what to do for a key without a feed', async () => {
      const { key: without } = await addApiKey(stack);
      const cli = listen([], { PARLEY_KEY: without });
      expect(await cli.ended).toBe(1);
      expect(cli.stderr).toContain('error: FEED_STATE: ');
      expect(cli.stderr).toContain('{ "event_feed": true }');
      expect(cli.stderr).toMatch(/request id: req_\S+\n$/);
    });

    it('goes on when Parley is away for a while', async () => {
      let requests = 0;
      const event = { id: 'evt_1', event: 'webhook.test', timestamp: 'then', data: {} };
      const server = createServer((_, response) => {
        requests += 1;
        // The first three find the end of the feed. The client itself tries each request four times.
        const isAway = requests > 3 && requests < 10;
        const data = { events: requests > 9 ? [event] : [], next_cursor: `${requests > 9}` };
        const error = { code: 'SERVICE_UNAVAILABLE', message: 'later' };
        response
          .writeHead(isAway ? 503 : 200, isAway ? { 'retry-after': '0' } : {})
          .end(JSON.stringify(isAway ? { error } : { data, meta: {} }));
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const cli = listen(['--json', '--url', url]);
      await until(() => cli.lines.length > 0);
      expect(cli.stderr).toContain('Parley does not answer (SERVICE_UNAVAILABLE: later)');
      expect(await cli.interrupt()).toBe(0);
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    });
  });

  describe('send', () => {
    const send = (args: readonly string[], input = '', env: Record<string, string> = {}) =>
      run(['send', ...args], { PARLEY_KEY: installation.apiKey, ...env }, input);

    it('sends a text, and prints its id and status', async () => {
      const to = newRecipient();
      const cli = send(['text', '--to', to, '--body', '-- Hello = "you"']);
      expect([await cli.ended, cli.stderr]).toEqual([0, '']);
      expect(cli.stdout).toMatch(/^[\da-f-]{36} sent\n$/);
      expect((await stack.ledger(to))[0]?.body.text.body).toBe('-- Hello = "you"');
    });

    it('sends buttons, once under one idempotency key, and prints JSON', async () => {
      const to = newRecipient();
      const args = ['buttons', '--to', to, '--body', 'At home?', '--json'];
      const buttons = ['--button', 'yes=Yes', '--button', 'no=No = never'];
      const sends = [1, 2].map(() => send([...args, ...buttons, '--idempotency-key', to]));
      for (const cli of sends) expect([await cli.ended, cli.stderr]).toEqual([0, '']);
      expect(sends[0]?.events).toEqual([expect.objectContaining({ status: 'sent' })]);
      expect(sends[1]?.events).toEqual(sends[0]?.events);
      const ledger = await stack.ledger(to);
      expect(ledger.map(({ body }) => body.interactive.action.buttons)).toEqual([
        [
          { type: 'reply', reply: { id: 'yes', title: 'Yes' } },
          { type: 'reply', reply: { id: 'no', title: 'No = never' } },
        ],
      ]);
    });

    it('sends any other message as JSON, from stdin or a file', async () => {
      const to = newRecipient();
      const body = JSON.stringify({ to, latitude: 52.5, longitude: 13.4 });
      const path = join(temporaryFolder(), 'body.json');
      writeFileSync(path, body);
      const piped = send(['--type', 'location', '--json-body', '-'], body);
      expect([await piped.ended, piped.stderr]).toEqual([0, '']);
      const read = send(['--type', 'location', '--json-body', path]);
      expect([await read.ended, read.stderr]).toEqual([0, '']);
      expect((await stack.ledger(to)).map(({ type }) => type)).toEqual(['location', 'location']);
    });

    it('says what the API refuses: code, text, fields, request id', async () => {
      const cli = send(['text', '--to', newRecipient(), '--body', '']);
      expect([await cli.ended, cli.stdout]).toEqual([1, '']);
      expect(cli.stderr).toMatch(
        /^error: VALIDATION_ERROR: .+\n {2}body: .+\nrequest id: req_\S+\n$/,
      );
      const args = ['--name', 'not_there', '--language', 'en', '--variable', 'name=Ann'];
      const template = send(['template', '--to', newRecipient(), ...args]);
      expect(await template.ended).toBe(1);
      expect(template.stderr).toContain('error: TEMPLATE_NOT_FOUND: ');
    });

    it('takes address and key from run.json if neither is given', async () => {
      const folder = temporaryFolder();
      const found = { api_url: stack.apis[0]?.url, api_key: installation.apiKey };
      writeFileSync(join(folder, 'run.json'), JSON.stringify(found));
      const none = { PARLEY_URL: '', PARLEY_KEY: '', DATA_DIR: folder };
      const cli = send(['text', '--to', newRecipient(), '--body', 'Hello'], '', none);
      expect(await cli.ended).toBe(0);
      expect(cli.stderr).toBe(
        `Using the address and the key of npm start, from ${folder}/run.json\n`,
      );
    });

    it('ends with 3 if it cannot connect, and says how to repeat the send', async () => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const cli = send(['text', '--to', newRecipient(), '--body', 'Hello', '--url', url]);
      expect(await cli.ended).toBe(3);
      expect(cli.stderr).toContain(`error: cannot reach Parley at ${url}: `);
      expect(cli.stderr).toContain('ECONNREFUSED');
      expect(cli.stderr).toMatch(/--idempotency-key [\da-f-]{36}\n$/);
    });
  });

  it.each([
    [[], 'Usage: parley'],
    [['sned'], "unknown command 'sned'"],
    [['send'], 'send what?'],
    [['send', 'text', '--to', '+1'], "required option '--body <text>' not specified"],
    [['send', 'buttons', '--to', '+1', '--body', 'x', '--button', 'yes'], '"yes" needs a name'],
    [['send', '--type', 'location', '--json-body', '-'], 'cannot read the message from stdin'],
    [['send', '--type', 'letter', '--json-body', '-'], 'Allowed choices are text, buttons'],
    [['listen', '--forward-to', 'localhost:8080'], 'It starts with http:// or https://'],
    [['listen', '--secret', 'wrong-secret'], 'a webhook secret is whsec_ and base64'],
    [['listen', '--from-start', '--cursor', '1'], '--from-start or --cursor, not both'],
    [['listen', '--key', ''], 'which API key?'],
  ])('ends with 2 for %j', async (args, told) => {
    const cli = run(args, { PARLEY_KEY: args.includes('--key') ? '' : 'pk_live_wrong' });
    expect([await cli.ended, cli.stdout]).toEqual([2, '']);
    expect(cli.stderr).toContain(told);
    expect(cli.stderr).not.toContain('wrong-secret');
  });

  it.each([[['--help']], [['listen', '--help']], [['send', '--help']], [['--version']]])(
    'answers %j on stdout',
    async (args) => {
      const cli = run(args);
      expect([await cli.ended, cli.stderr]).toEqual([0, '']);
      expect(cli.stdout).toMatch(/^(Usage: parley|0\.1\.0\n$)/);
    },
  );
});
