import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const examples = join(process.cwd(), 'docs/examples');

/** The vector that docs/webhooks.md publishes, of Standard Webhooks. */
const genuine = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: '{"test": 2432232314}',
  now: 1_614_265_330,
};
type Webhook = typeof genuine;

const withHeader = (name: keyof Webhook['headers'], value: string): Webhook => ({
  ...genuine,
  headers: { ...genuine.headers, [name]: value },
});

const signature = genuine.headers['webhook-signature'];
const cases: [string, Webhook, boolean][] = [
  ['a genuine webhook', genuine, true],
  ['one of two signatures', withHeader('webhook-signature', `v1,AAAA ${signature}`), true],
  ['299 s of delay', { ...genuine, now: genuine.now + 299 }, true],
  ['301 s of delay', { ...genuine, now: genuine.now + 301 }, false],
  ['301 s too early', { ...genuine, now: genuine.now - 301 }, false],
  ['another body', { ...genuine, body: `${genuine.body} ` }, false],
  ['another id', withHeader('webhook-id', 'msg_another'), false],
  ['another secret', { ...genuine, secret: 'whsec_AAAA' }, false],
  ['a malformed time-stamp', withHeader('webhook-timestamp', '1e9'), false],
  ['an empty signature', withHeader('webhook-signature', ''), false],
];

/** A language: how its example is asked, with the webhook as JSON on standard input or as arguments. */
interface Language {
  readonly name: string;
  readonly probe: readonly string[];
  /** Compiles the example, once for all cases. */
  readonly compile?: readonly string[];
  readonly ask: (webhook: Webhook) => readonly string[];
}

const compiled = mkdtempSync(join(tmpdir(), 'parley-examples-'));
afterAll(() => rmSync(compiled, { recursive: true }));

const languages: Language[] = [
  {
    name: 'Python',
    probe: ['python3', '--version'],
    ask: () => [
      'python3',
      '-B',
      '-c',
      `import json, sys
from verify import verify
w = json.load(sys.stdin)
print(str(verify(w["secret"], w["headers"], w["body"].encode(), w["now"])).lower())`,
    ],
  },
  {
    name: 'PHP',
    probe: ['php', '--version'],
    ask: () => [
      'php',
      '-r',
      `require "verify.php"; $w = json_decode(file_get_contents("php://stdin"), true);
       echo json_encode(verify_webhook($w["secret"], $w["headers"], $w["body"], $w["now"]));`,
    ],
  },
  {
    name: 'Ruby',
    probe: ['ruby', '--version'],
    ask: () => [
      'ruby',
      '-r./verify',
      '-rjson',
      '-e',
      'w = JSON.parse($stdin.read); puts verify_webhook(w["secret"], w["headers"], w["body"], now: w["now"])',
    ],
  },
  {
    name: 'Go',
    probe: ['go', 'version'],
    compile: ['go', 'build', '-o', join(compiled, 'verify'), 'verify.go'],
    ask: () => [join(compiled, 'verify')],
  },
  {
    name: 'Java',
    probe: ['javac', '-version'],
    compile: ['javac', '-d', compiled, 'Verify.java'],
    ask: ({ secret, headers, body, now }) => [
      'java',
      '-cp',
      compiled,
      'Verify',
      secret,
      ...Object.values(headers),
      body,
      String(now),
    ],
  },
];

const run = ([program = '', ...args]: readonly string[], input = '') =>
  spawnSync(program, args, { cwd: examples, input, encoding: 'utf8' });

describe.each(languages)('the $name example of docs/webhooks.md', ({ probe, compile, ask }) => {
  const isThere = run(probe).status === 0;
  // scripts/test.mjs names the examples whose language is not there.
  const verified = isThere ? it.each(cases) : it.skip.each(cases);

  beforeAll(() => {
    if (isThere && compile) expect(run(compile)).toMatchObject({ status: 0 });
  });

  verified('judges %s', (_, webhook, isGenuine) => {
    const { stdout, stderr } = run(ask(webhook), JSON.stringify(webhook));
    expect([stdout.trim(), stderr]).toEqual([String(isGenuine), '']);
  });
});

describe('docs/webhooks.md', () => {
  it('publishes this vector and names every example', () => {
    const page = readFileSync('docs/webhooks.md', 'utf8');
    const { secret, headers, body } = genuine;
    for (const text of [secret, body, ...Object.values(headers)]) expect(page).toContain(text);
    for (const file of ['verify.py', 'verify.php', 'verify.rb', 'verify.go', 'Verify.java']) {
      expect(page).toContain(`examples/${file}`);
    }
  });
});
