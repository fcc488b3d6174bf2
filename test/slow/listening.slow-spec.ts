import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { installation } from '../support/installation.js';
import { checkout } from '../support/npm-start.js';
import { freePort } from '../support/server-process.js';
import { Stack } from '../support/stack.js';

describe('a process that cannot listen', () => {
  let stack: Stack;
  let shell: ChildProcess;

  beforeAll(async () => {
    stack = await Stack.start({ workers: 0 });
  });

  // Its whole group: the process may be what hangs.
  afterEach(() => {
    try {
      process.kill(-(shell.pid ?? 0), 'SIGKILL');
    } catch {}
  });

  afterAll(() => stack?.stop());

  /** @param reader what a shell puts behind the process, to read its output. */
  async function failure(script: string, change: Record<string, string>, reader: string) {
    const { port } = new URL(stack.apis[0]?.url ?? '');
    const started = spawn('sh', ['-c', `node dist/src/${script}.js 2>&1 ${reader}`], {
      cwd: checkout,
      detached: true,
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: stack.databaseUrl,
        SECRET_KEY: installation.secretKey,
        PORT: port,
        WORKER_PORT: port,
        LOG_LEVEL: 'error',
        ...change,
      },
    });
    shell = started;
    const output = await text(started.stdout);
    // The others are lines of the log.
    const told = output.split('\n').filter((line) => !/^(?:\{.*)?$/.test(line));
    return { port, told };
  }

  it.each([
    ['main', 'PORT'],
    ['worker', 'WORKER_PORT'],
    ['main', 'METRICS_PORT'],
  ])('says so in one line that names the variable: %s, %s', async (script, name) => {
    const { port: takenPort } = new URL(stack.apis[0]?.url ?? '');
    const free = String(await freePort());
    const ports = { PORT: free, WORKER_PORT: free, [name]: takenPort };
    const taken = await failure(script, ports, '| cat');
    expect(taken.told).toEqual([`${name} ${taken.port} is taken by another process`]);
    const elsewhere = await failure(script, { HOST: '999.1.1.1' }, '| cat');
    expect(elsewhere.told[0]).toMatch(/^HOST "999.1.1.1" is not an address of this machine; set /);
  });

  it('ends even if nothing reads its output', async () => {
    await failure('main', {}, '| true');
  }, 15_000);
});
