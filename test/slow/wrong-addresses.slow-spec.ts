import { Redis } from 'ioredis';
import { TestDatabase } from '../support/database.js';
import { installation, stores } from '../support/installation.js';
import { type RedisServer, startRedis } from '../support/redis.mjs';
import { freePort, ServerProcess } from '../support/server-process.js';

const programs = ['main', 'worker', 'migrate', 'rotate-keys', 'restored'];

/** Runs a program to its end. @returns how it ended, and what it wrote that is no log line. */
async function run(script: string, env: Record<string, string>) {
  const port = await freePort();
  const program = new ServerProcess(script, `dist/src/${script}.js`, port, {
    SECRET_KEY: installation.secretKey,
    PORT: String(port),
    WORKER_PORT: String(port),
    LOG_LEVEL: 'silent',
    ...env,
  });
  program.launch();
  return { code: await program.exited, output: program.output };
}

const oneLine = (variable: string, text: string) =>
  new RegExp(`^${variable}: [^\\n]*${text}[^\\n]*\\n$`);

describe('a DATABASE_URL', () => {
  let database: TestDatabase;
  let closedPort: number;

  beforeAll(async () => {
    database = await TestDatabase.clone('migrated');
    closedPort = await freePort();
  });

  afterAll(() => database?.drop());

  const changed = (change: (url: URL) => void) => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };

  const mistakes: [string, () => string, string][] = [
    [
      'with a wrong password',
      () =>
        changed((url) => {
          url.password = 'wrong';
        }),
      'refuses the password of the user parley',
    ],
    [
      'with an unknown user',
      () =>
        changed((url) => {
          url.username = 'nobody';
        }),
      'user nobody',
    ],
    [
      'with an unknown database',
      () =>
        changed((url) => {
          url.pathname = '/nothing';
        }),
      'has no database nothing',
    ],
    [
      'of a server without TLS that asks for it',
      () => `${database.url}?sslmode=verify-full`,
      'speaks no TLS',
    ],
  ];

  it.each(
    mistakes.flatMap(([title, url, text]) =>
      programs.map((program) => [title, program, url, text] as const),
    ),
  )('%s ends %s with one line', async (_, program, url, text) => {
    const { code, output } = await run(program, { DATABASE_URL: url() });
    expect(code).toBe(1);
    expect(output).toMatch(oneLine('DATABASE_URL', text));
  });

  it.each(['main', 'migrate'])(
    'of a server that is not there ends %s with one line',
    async (program) => {
      const url = `postgres://parley:secret-word@127.0.0.1:${closedPort}/parley`;
      const { code, output } = await run(program, { DATABASE_URL: url });
      expect(code).toBe(1);
      expect(output).toMatch(oneLine('DATABASE_URL', `nothing answers at 127.0.0.1:${closedPort}`));
      expect(output).not.toContain('secret-word');
    },
  );

  it('with an unescaped @ in the password names the host that it is read as', async () => {
    const url = 'postgres://parley:pass/word@127.0.0.1/parley';
    const { code, output } = await run('migrate', { DATABASE_URL: url });
    expect(code).toBe(1);
    expect(output.trimEnd().split('\n')).toHaveLength(1);
    expect(output).toContain('DATABASE_URL');
  });
});

const describeWithRedis = stores.includes('redis') ? describe : describe.skip;

describeWithRedis('a REDIS_URL', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
    const client = new Redis(redis.url);
    await client.acl('SETUSER', 'product', 'on', '>right', '~*', '&*', '+@all');
    client.disconnect();
  });

  afterAll(() => redis?.stop());

  const mistakes: [string, (url: string) => string, string][] = [
    [
      'with a wrong password',
      (url) => url.replace('//', '//product:wrong@'),
      'refuses user or password',
    ],
    [
      'with an unknown user',
      (url) => url.replace('//', '//nobody:right@'),
      'refuses user or password',
    ],
    ['of an unknown host', () => 'redis://redis.invalid:6379', 'redis.invalid is not known'],
    [
      'that asks for TLS where there is none',
      (url) => url.replace('redis:', 'rediss:'),
      'speaks no TLS',
    ],
    [
      'with the number of a database that is not there',
      (url) => `${url}/1000000`,
      'no database of this number',
    ],
  ];

  it.each(
    mistakes.flatMap(([title, change, text]) =>
      ['main', 'worker'].map((program) => [title, program, change, text] as const),
    ),
  )('%s ends %s with one line', async (_, program, change, text) => {
    const { code, output } = await run(program, {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      REDIS_URL: change(redis.url),
    });
    expect(code).toBe(1);
    expect(output).toMatch(oneLine('REDIS_URL', text));
  });
});
