import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const logger = new URL('../../dist/modules/src/logging/logger.js', import.meta.url).href;

/** A process of its own that makes the log of an API and then runs this. */
function logging(script: string) {
  const prelude = `import { createLogger, flushLog } from '${logger}'; const log = createLogger('api', 'info');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${prelude}\n${script}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return { child, lines: createInterface({ input: child.stdout }) };
}

async function numbersOf(lines: AsyncIterable<string>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const line of lines) numbers.push(JSON.parse(line).number);
  return numbers;
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('the log', () => {
  it('has every line once and in order when the process exits, however many are in hand', async () => {
    const { lines } = logging(`
      for (let number = 0; number < 20_000; number++) log.info({ number }, 'line');
      process.exit();`);
    expect(await numbersOf(lines)).toEqual(upTo(20_000));
  });

  it.each([
    ['ends by itself', ''],
    ['exits', 'process.exit();'],
  ])('has the one line of a process that %s', async (_, exit) => {
    const script = `log.info({ number: 0 }, 'line'); ${exit}`;
    // A line that is still being written when the process ends gets through about every other time.
    const logs = await Promise.all(upTo(8).map(() => numbersOf(logging(script).lines)));
    expect(logs).toEqual(upTo(8).map(() => [0]));
  });

  it('has every line once and in order when they come while others are being written', async () => {
    const { lines } = logging(`
      for (let number = 0; number < 20_000; number++) {
        log.info({ number }, 'line');
        if (number % 10 === 0) await new Promise((turn) => setImmediate(turn));
      }`);
    expect(await numbersOf(lines)).toEqual(upTo(20_000));
  });

  it('shows a lone line soon, while the process goes on', async () => {
    const { child, lines } = logging(`log.info({ number: 0 }, 'line'); process.stdin.resume();`);
    const [line] = await once(lines, 'line');
    expect(JSON.parse(line).number).toBe(0);
    expect(child.exitCode).toBeNull();
    child.kill();
    await once(child, 'exit');
  });

  it('says when everything is written', async () => {
    const { child, lines } = logging(`
      log.info({ number: 0 }, 'line');
      await flushLog();
      process.kill(process.pid, 'SIGKILL');`);
    const exited = once(child, 'exit');
    expect(await numbersOf(lines)).toEqual([0]);
    expect(await exited).toEqual([null, 'SIGKILL']);
  });
});
