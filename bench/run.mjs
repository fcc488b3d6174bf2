import { accessSync, constants } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled } from '../scripts/start/install.mjs';

/**
 * `npm run bench`: this product and the usual pipeline on the same machine, in one run, against the same simulator.
 *
 * Standard output is the result alone, one line of JSON with `--json`, else a table; progress goes to standard error.
 * The exit code is 1 when anything went wrong during the run, for then its speed means nothing.
 *
 * Only Node's built-in modules may be imported here before the packages are known to be installed.
 */
const USAGE = `usage: npm run bench -- [options]
  --json                  one line of JSON instead of a table
  --store redis|postgres  what carries this product's queues and quotas (default redis)
  --type button           the message to send (default button)
  --connections 1,32,128  how many callers at once, one measurement for each
  --seconds 8             length of one measurement, without its warm-up
  --only product|naive    leave the other side out: quicker while tuning`;

const options = readOptions();
await main();

async function main() {
  if (!isOnPath('redis-server')) {
    exit('The benchmark needs redis-server: on Debian and Ubuntu, apt-get install redis-server.');
  }
  await ensureInstalled();
  const { ProcessGroup } = await import('./process-group.mjs');
  const { runBenchmark } = await import('./benchmark.mjs');
  const { formatTable } = await import('./report.mjs');

  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  // PostgreSQL refuses to run as root; as another user it must be able to enter.
  await chmod(directory, 0o711);
  const group = new ProcessGroup(directory);
  let interruptedBy = null;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      interruptedBy = signal;
      group.interrupt(new Error('interrupted'));
    });
  }

  let result;
  try {
    result = await runBenchmark(group, options, directory, (line) =>
      process.stderr.write(`${line}\n`),
    );
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
  } finally {
    await group.close();
  }
  if (result === undefined) process.exit(interruptedBy === null ? 1 : 130);

  const { failures, ...figures } = result;
  process.stdout.write(options.json ? `${JSON.stringify(figures)}\n` : formatTable(figures));
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  const isSound = Object.values(figures.errors).every((count) => count === 0);
  if (!isSound) exit(`Not a valid run: ${JSON.stringify(figures.errors)}`);
  process.exit();
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        store: { type: 'string', default: 'redis' },
        type: { type: 'string', default: 'button' },
        connections: { type: 'string', default: '1,32,128' },
        seconds: { type: 'string', default: '8' },
        only: { type: 'string' },
      },
    });
    const connections = values.connections.split(',').map(Number);
    const seconds = Number(values.seconds);
    const isValid =
      ['redis', 'postgres'].includes(values.store) &&
      values.type === 'button' &&
      [undefined, 'product', 'naive'].includes(values.only) &&
      connections.every((count) => Number.isInteger(count) && count > 0 && count <= 1000) &&
      seconds > 0 &&
      seconds <= 60;
    if (isValid) return { ...values, connections, seconds };
  } catch {
    // An option nobody knows: the usage says which there are.
  }
  return exit(USAGE);
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function exit(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
