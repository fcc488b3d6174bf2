import '../../scripts/node-version.mjs';
import { register } from 'node:module';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '../../scripts/start/console.mjs';
import { installAndBuild } from '../../scripts/start/install.mjs';

/**
 * `npm run chaos`: kills, stops, cuts off, empties and slows down everything below the product while
 * callers send, then compares the platform's ledger, the database and the callers' answers with
 * each other. The exit code is 1 when an invariant broke; what broke is printed above.
 */
const usage = `usage: npm run chaos -- [options]
  --short                 every fault a few times (default)
  --full                  100 kills, 100,000 messages: more than an hour
  --dose 0.1              so much of it
  --store redis|postgres  default: both, in parallel
  --shared                each fault on one of the two stores, by the seed
  --only F1,F4            these faults only
  --planted               take rules out of the product and see that each is missed
  --seed 1                chooses victims and moments; default: from the clock`;

const root = resolve(import.meta.dirname, '../..');
const options = readOptions();

try {
  await installAndBuild(root);
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : error.stack}\n`);
  process.exit(1);
}

register('../../scripts/typescript-hooks.mjs', import.meta.url);
await import('reflect-metadata');
const { installation } = await import('../support/services.mjs');
const { hasRedis } = await import('../support/redis.mjs');
process.env.PARLEY_TEST_INSTALLATION = JSON.stringify(installation);
const { playChaos } = await import('./chaos.ts');
const { playPlanted } = await import('./planted-faults.ts');

if (options.stores.includes('redis') && !hasRedis()) {
  fail('The run on Redis needs redis-server: on Debian and Ubuntu, apt-get install redis-server.');
}
const say = (line) => process.stdout.write(`${line}\n`);
say(`seed ${options.seed}`);
const { stores: played } = options;
if (options.isPlanted) {
  const missed = await playPlanted(played, options, say);
  say(missed === 0 ? 'every planted fault was found' : `${missed} planted faults were not found`);
  process.exit(missed === 0 ? 0 : 1);
}
const broken = await playChaos(played, options, say);
say(broken === 0 ? 'every invariant holds' : `${broken} times an invariant broke`);
process.exit(broken === 0 ? 0 : 1);

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        short: { type: 'boolean', default: true },
        full: { type: 'boolean', default: false },
        dose: { type: 'string', default: '1' },
        store: { type: 'string' },
        shared: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        planted: { type: 'boolean', default: false },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      },
    });
    const dose = Number(values.dose);
    const seed = Number(values.seed);
    const stores = values.store === undefined ? ['redis', 'postgres'] : [values.store];
    const isValid =
      dose > 0 &&
      Number.isInteger(seed) &&
      stores.every((store) => store === 'redis' || store === 'postgres');
    if (isValid) {
      const only = values.only.split(',').filter((id) => id !== '');
      const form = values.full ? 'full' : 'short';
      return {
        stores,
        isPlanted: values.planted,
        isShared: values.shared && values.store === undefined,
        seed,
        form,
        dose,
        only,
      };
    }
  } catch {
    // An unknown option: the usage lists the known ones.
  }
  return fail(usage);
}

function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
