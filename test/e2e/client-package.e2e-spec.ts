import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import ts from 'typescript';
import { version } from '../../clients/typescript/src/version.js';
import { installation } from '../support/installation.js';
import { checkout, temporaryFolder } from '../support/npm-start.js';
import { freePort } from '../support/server-process.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { addWebhookKey, notification, notify, textMessage } from '../support/webhooks.js';

const clientFolder = join(checkout, 'clients/typescript');
const manifest = JSON.parse(readFileSync(join(clientFolder, 'package.json'), 'utf8'));

/** What compiles, and a line for each mistake that must not. */
const typed = `
import { Parley, verifyWebhook, type WebhookEvent } from 'parley-client';
const parley = new Parley({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'pk_test_1' });
const to = '+14155550123';
const buttons = [{ id: 'yes', title: 'Yes' }];
export const sent = [
  parley.sendText({ to, body: 'Hello' }),
  parley.sendText({ to_user_id: 'US.1', body: 'Hello' }),
  parley.sendMedia({ to, type: 'image', link: 'https://example.com/a.png', caption: 'A' }),
  parley.sendButtons({ to, body: 'A', buttons, header: { type: 'text', text: 'A' } }),
  // @ts-expect-error Nobody gets it.
  parley.sendText({ body: 'Hello' }),
  // @ts-expect-error A header of type image has a picture.
  parley.sendButtons({ to, body: 'A', buttons, header: { type: 'image', text: 'A' } }),
  // @ts-expect-error Audio has no caption.
  parley.sendMedia({ to, type: 'audio', link: 'https://example.com/a.ogg', caption: 'A' }),
  // @ts-expect-error A file has one source.
  parley.sendMedia({ to, type: 'image', caption: 'A' }),
  // @ts-expect-error There is no such field.
  parley.sendText({ to, body: 'Hello', text: 'Hello' }),
];
export function nameOf(event: WebhookEvent): string {
  return event.event === 'message.status' ? event.data.status : event.event;
}
export const { id } = verifyWebhook('whsec_', {}, '');
`;

describe('the package of the client', () => {
  const folder = temporaryFolder();
  const installed = join(folder, 'node_modules/parley-client');
  let stack: Stack;

  beforeAll(async () => {
    const npm = (args: string[], cwd: string) =>
      execFileSync('npm', [...args, '--no-audit', '--no-fund', '--offline'], {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    stack = await Stack.start({ webhooks: true });
    const [packed] = JSON.parse(
      npm(['pack', '--json', '--pack-destination', folder], clientFolder),
    );
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    npm(['install', join(folder, packed.filename)], folder);
    for (const name of ['send', 'receive']) {
      const source = readFileSync(join(clientFolder, `examples/${name}.ts`), 'utf8');
      const { outputText } = ts.transpileModule(source, {
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
      });
      writeFileSync(join(folder, `${name}.mjs`), outputText);
    }
  });

  afterAll(async () => {
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(args: string[], env: Record<string, string> = {}) {
    const child: ChildProcess = spawn(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text: Buffer) => {
        output += text.toString();
      });
    }
    const ended = new Promise<number | null>((done) => child.once('close', done));
    return { child, ended, output: () => output };
  }

  it('needs no other package, and knows its version', () => {
    expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
    expect(version).toBe(manifest.version);
  });

  it.each([
    ['an ES module', 'a.mts', { module: 'nodenext' }],
    ['CommonJS', 'a.cts', { module: 'node16' }],
    [
      'CommonJS as of old',
      'a.ts',
      { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
    ],
    ['a bundler', 'a.ts', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('has types for %s', (_, name, options) => {
    writeFileSync(join(folder, name), typed);
    const { options: compilerOptions, errors } = ts.convertCompilerOptionsFromJson(
      {
        strict: true,
        noEmit: true,
        target: 'es2023',
        lib: ['es2023', 'dom'],
        types: [],
        ...options,
      },
      folder,
    );
    expect(errors).toEqual([]);
    const program = ts.createProgram([join(folder, name)], compilerOptions);
    const found = ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, '\n');
      return `${file?.fileName}:${start} ${text}`;
    });
    expect(found).toEqual([]);
    expect(program.getSourceFiles().some((file) => file.fileName.startsWith(installed))).toBe(true);
  });

  it('runs where there are the standards of the web alone, as in workers', async () => {
    const requests: Request[] = [];
    const web = {
      AbortSignal,
      Blob,
      FormData,
      Headers,
      Request,
      Response,
      TextDecoder,
      TextEncoder,
      URL,
      URLSearchParams,
      Uint8Array,
      atob,
      clearTimeout,
      crypto,
      setTimeout,
      fetch: (address: URL, init: RequestInit) => {
        // As Cloudflare's workers do it.
        if (init.redirect === 'error') throw new TypeError('Invalid redirect value');
        requests.push(new Request(address, init));
        return fetch(address, init);
      },
      module: { exports: {} as any },
      exports: {},
    };
    runInContext(
      `(function (module, exports) {${readFileSync(join(installed, 'dist/cjs/index.js'), 'utf8')}\n})(module, module.exports)`,
      createContext(web),
    );
    const { Parley, verifyWebhook } = web.module.exports;
    const parley = new Parley({ baseUrl: stack.apis[0]?.url, apiKey: installation.apiKey });
    const answer = await parley.sendButtons(buttonMessage({ to: newRecipient() }));
    expect(answer).toMatchObject({ status: 'sent' });
    expect(requests[0]?.headers.get('user-agent')).toBe(`parley-client/${version}`);
    expect(() => verifyWebhook('whsec_', {}, '')).toThrow('headers');
  });

  it('takes a redirect for no answer', async () => {
    const { Parley } = await import(join(installed, 'dist/esm/index.js'));
    const { createServer } = await import('node:http');
    const server = createServer((_, response) => {
      response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
    });
    const port = await freePort();
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    const parley = new Parley({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k', retriesMax: 0 });
    await expect(parley.listTemplates()).rejects.toThrow("a 302 that is not Parley's");
    server.close();
  });

  it('sends by its first example', async () => {
    const env = { PARLEY_URL: stack.apis[0]?.url ?? '', PARLEY_KEY: installation.apiKey };
    const good = run(['send.mjs', newRecipient()], env);
    expect(await good.ended).toBe(0);
    expect(good.output()).toMatch(/^[\da-f-]{36} is (sent|delivered|read) after \d changes\n$/);
    const bad = run(['send.mjs', '+15550131026'], env);
    expect(await bad.ended).toBe(1);
    expect(bad.output()).toMatch(/^failed: 131026 .*; retryable: false\n$/);
  });

  it('receives by its second example', async () => {
    const port = await freePort();
    const { key, secret } = await addWebhookKey(stack, `http://127.0.0.1:${port}/`);
    const receiving = run(['receive.mjs'], { PORT: String(port), PARLEY_WEBHOOK_SECRET: secret });
    await until(() =>
      fetch(`http://127.0.0.1:${port}/`).then(
        ({ status }) => status === 401,
        () => false,
      ),
    );
    const { Parley } = await import(join(installed, 'dist/esm/index.js'));
    const parley = new Parley({ baseUrl: stack.apis[0]?.url, apiKey: key });
    const { message_id } = await parley.sendButtons(buttonMessage({ to: newRecipient() }));
    const { platform_message_id: wamid } = await parley.getMessage(message_id);
    await notify(stack, notification({ messages: [textMessage({ context: { id: wamid } })] }));
    await until(
      () =>
        receiving.output().includes(`${message_id} is delivered\n`) &&
        receiving.output().includes('+14155550199, in answer to nothing of ours\n'),
    );
    receiving.child.kill();
    await receiving.ended;
  });
});
