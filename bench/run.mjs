import '../scripts/node-version.mjs';
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { constants as osConstants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { usageText as LIFE_USAGE, readLifeOptions } from './life/options.mjs';
import { messageTypes } from './message-types.mjs';

/**
 * `npm run bench`: this product and the usual pipeline on the same machine, in one run, against the same simulator.
 * `npm run bench -- --life`: the whole life of a message, with reports and webhooks; see `life/`.
 * `npm run bench -- --refusals`: the times of refusals, in pairs; see `refusals.mjs`.
 *
 * Standard output is the result alone, one line of JSON with `--json`, else a table; progress goes to standard error.
 * The exit code is 1 when anything went wrong during the run, for then its speed means nothing.
 *
 * Only Node's built-in modules may be imported here before the packages are known to be installed.
 */
const usageText = `usage: npm run bench -- [options]
  --json                  one line of JSON instead of a table
  --store redis|postgres  what carries this product's queues and quotas (default redis)
  --type button|template  the message to send (default button)
  --connections 1,32,128  how many callers at once, one measurement for each
  --seconds 8             length of one measurement, without its warm-up
  --pace N|none           the numbers' pace; that of a new account without it. There are as many numbers as 2,000 sends
                          a second need at half their pace; with none, one
  --only product|naive    leave the other side out: quicker while tuning
  --refusals              whether the time of a refusal tells a stranger anything, in --pairs 1000 of calls
  --life                  whole lives instead of sends; --life --help has its options`;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const isLife = process.argv.includes('--life');
const options = isLife
  ? (readLifeOptions(process.argv.slice(2)) ?? exit(LIFE_USAGE))
  : readOptions();
await main();

async function main() {
  if (!isOnPath('redis-server') && !(isLife && options.store === 'postgres')) {
    exit('The benchmark needs redis-server: on Debian and Ubuntu, apt-get install redis-server.');
  }
  await prepare();
  // These need the packages that may only just have come.
  const { ProcessGroup } = await import('./process-group.mjs');
  const [run, format] = await chooseBenchmark();

  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  // PostgreSQL refuses to run as root; as another user it must be able to enter.
  await chmod(directory, 0o711);
  const group = new ProcessGroup(directory);
  let interruptedBy;
  for (const signal of signals) {
    process.on(signal, () => {
      interruptedBy ??= signal;
      group.interrupt(new Error('interrupted'));
    });
  }

  let result;
  try {
    result = await run(group, options, directory, complain);
  } catch (error) {
    complain(error.message);
  } finally {
    await group.close();
  }
  if (interruptedBy) process.exit(128 + osConstants.signals[interruptedBy]);
  if (!result) process.exit(1);

  const { failures, ...figures } = result;
  process.stdout.write(options.json ? `${JSON.stringify(figures)}\n` : format(figures));
  for (const failure of [...new Set(failures)].slice(0, 10)) complain(failure);
  const isSound = Object.values(figures.errors).every((count) => count === 0);
  if (!isSound) exit(`Not a valid run: ${JSON.stringify(figures.errors)}`);
  process.exit();
}

async function chooseBenchmark() {
  if (isLife) {
    return [
      (await import('./life/life.mjs')).runLife,
      (await import('./life/report.mjs')).formatLife,
    ];
  }
  if (options.refusals) {
    const { runRefusals, formatRefusals } = await import('./refusals.mjs');
    return [runRefusals, formatRefusals];
  }
  return [
    (await import('./benchmark.mjs')).runBenchmark,
    (await import('./report.mjs')).formatTable,
  ];
}

/** Installs and builds in a process of its own, with our standard error as its standard output. */
async function prepare() {
  const script = fileURLToPath(new URL('prepare.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 2, 2], detached: true });
  const stop = () => child.kill('SIGTERM');
  for (const signal of signals) process.on(signal, stop);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  for (const signal of signals) process.off(signal, stop);
  if (code !== 0) process.exit(1);
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
        pace: { type: 'string' },
        only: { type: 'string' },
        refusals: { type: 'boolean', default: false },
        pairs: { type: 'string', default: '1000' },
      },
    });
    const connections = values.connections.split(',').map(Number);
    const seconds = Number(values.seconds);
    const pairs = Number(values.pairs);
    const isValid =
      ['redis', 'postgres'].includes(values.store) &&
      Object.hasOwn(messageTypes, values.type) &&
      [undefined, 'product', 'naive'].includes(values.only) &&
      /^([1-9]\d*|none)$/.test(values.pace ?? 'none') &&
      connections.every((count) => Number.isInteger(count) && count > 0 && count <= 1000) &&
      seconds > 0 &&
      seconds <= 60 &&
      Number.isInteger(pairs) &&
      pairs > 0;
    const pace = values.pace > 0 ? Number(values.pace) : values.pace;
    if (isValid) return { ...values, pace, connections, seconds, pairs };
  } catch {
    // An unknown option: the usage lists the known ones.
  }
  return exit(usageText);
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

function complain(text) {
  process.stderr.write(`${text}\n`);
}

function exit(reason) {
  complain(reason);
  process.exit(1);
}
