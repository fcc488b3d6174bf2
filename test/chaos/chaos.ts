import { type Store } from '../support/installation.js';
import { type Fault, faults } from './faults.js';
import { ChaosInstallation, type Setting, settings } from './installation.js';
import { judgeAll, type Outcome } from './judgement.js';
import { Random } from './random.js';
import { previousBuild, whyNoPreviousBuild } from './upgrade/previous-build.js';

/** What is to be played. */
export interface ChaosOptions {
  readonly seed: number;
  readonly form: 'short' | 'full';
  /** How much of the form's dose. */
  readonly dose: number;
  /** Ids of faults; all where empty. */
  readonly only: readonly string[];
  /** True plays each fault on one of the stores, chosen by the seed. Default: each fault on every store. */
  readonly isShared?: boolean;
  /** A checkout whose build is played; default this one. */
  readonly root?: string;
  /** False leaves a primary running when its standby takes over. Default true. */
  readonly isFenced?: boolean;
  /** How long all may take to come to rest at the end. Default 90 s. */
  readonly restMs?: number;
}

/** Reports progress. */
export type Say = (line: string) => void;

/**
 * What a machine that stands still for some seconds breaks without a defect: a refused request, a message that is
 * unconfirmed, a state that is reached too late. A lost or doubled message is none of these.
 */
const isOfTime = (violation: string) =>
  /^(?:I12 refused for no reason|I5 \d+ unconfirmed|I1 never came true)/.test(violation);

/** More faults than this may not need a second try. */
const secondTriesMax = 2;

/**
 * Plays the faults on each store, the stores in parallel, and prints what became of the
 * messages. A fault that broke nothing but deadlines is played once more, alone.
 * @returns how many invariants broke.
 */
export async function playChaos(
  stores: readonly Store[],
  options: ChaosOptions,
  say: Say,
): Promise<number> {
  const results = await Promise.all(
    stores.map(async (store) => ({
      store,
      outcomes: await playStore(store, options, say),
    })),
  );
  let tries = 0;
  for (const { store, outcomes } of results) {
    for (const [name, { violations }] of outcomes) {
      if (violations.length === 0 || !violations.every(isOfTime) || tries === secondTriesMax) {
        continue;
      }
      tries += 1;
      say(`${name} on ${store} again, because it broke deadlines: ${violations[0]}`);
      const again = await playStore(
        store,
        { ...options, seed: options.seed + tries, only: [name], isShared: false },
        say,
      );
      for (const [id, outcome] of again) outcomes.set(id, outcome);
    }
  }
  for (const { store, outcomes } of results) {
    say('');
    say(tableHead(store));
    for (const [name, outcome] of outcomes) say(tableLine(name, outcome));
  }
  // At the end, where whoever reads a long log looks first.
  let broken = 0;
  for (const { store, outcomes } of results) {
    for (const [name, { violations }] of outcomes) {
      broken += violations.length;
      for (const violation of violations.slice(0, 20)) {
        say(`  broken in ${name} on ${store}: ${violation}`);
      }
      if (violations.length > 20) say(`  … and ${violations.length - 20} more in ${name}`);
    }
  }
  return broken;
}

/** Plays the faults on one store, those with a setting of their own in an installation of their own. */
export async function playStore(
  store: Store,
  options: ChaosOptions,
  say: Say,
): Promise<Map<string, Outcome>> {
  const { only, isShared, seed } = options;
  const wanted = faults.filter(
    ({ id, stores }, index) =>
      (only.length === 0 || only.includes(id)) &&
      (stores?.includes(store) ?? (!isShared || storeAt(index + seed) === store)),
  );
  const outcomes = new Map<string, Outcome>();
  for (const setting of [undefined, ...settings]) {
    const played = wanted.filter((fault) => fault.setting === setting);
    if (played.length === 0) continue;
    const isUpgrade = setting === 'previous release';
    const reason = isUpgrade ? whyNoPreviousBuild() : null;
    if (reason) {
      say(
        `${store}: ${played.map(({ id, title }) => `${id} ${title}`).join()}: left out, because ${reason}`,
      );
      continue;
    }
    const root = isUpgrade ? await previousBuild() : options.root;
    for (const [id, outcome] of await playOn(store, played, { ...options, root }, say, setting)) {
      outcomes.set(id, outcome);
    }
  }
  return outcomes;
}

/** The store of a fault that is played on one alone: neighbours in the list take turns. */
const storeAt = (index: number): Store => (index % 2 === 0 ? 'postgres' : 'redis');

/** Plays faults on one installation. */
async function playOn(
  store: Store,
  played: readonly Fault[],
  { seed, form, dose, root, isFenced, restMs = 90_000 }: ChaosOptions,
  say: Say,
  setting: Setting | undefined,
): Promise<Map<string, Outcome>> {
  const random = new Random(seed);
  const chaos = await ChaosInstallation.start(store, random, { root, setting, isFenced });
  try {
    for (const fault of played) {
      const times = Math.max(1, Math.round(fault[form] * dose));
      const startedAt = performance.now();
      const phase = {
        title: fault.title,
        unconfirmedMax: fault.unconfirmedMax?.(times) ?? 0,
        mayRefuse: fault.mayRefuse ?? false,
        troubles: fault.troubles ?? [],
        mayBeForgotten: new Set<string>(),
        sent: [],
        violations: [],
        notes: [],
        afterwards: [],
        recoveredMs: 0,
      };
      await chaos.during(fault.id, phase, (load) => fault.happens({ chaos, times, load, phase }));
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      say(
        [`${store}: ${fault.id} ${fault.title} × ${times}, ${seconds} s`, ...phase.notes].join(
          '; ',
        ),
      );
    }
    await chaos.quiet(restMs);
    return await judgeAll(chaos);
  } finally {
    await chaos.stop();
  }
}

const columns = [
  'accepted',
  'received',
  'sent',
  'failed',
  'unconfirmed',
  'stillUnconfirmed',
  'lost',
  'doubled',
  'refused',
  'slowestMs',
  'recoveredMs',
] as const satisfies readonly (keyof Outcome)[];

const titles: Readonly<Record<(typeof columns)[number], string>> = {
  accepted: 'accepted',
  received: 'at platform',
  sent: 'sent',
  failed: 'failed',
  unconfirmed: 'unconfirmed',
  stillUnconfirmed: 'still so',
  lost: 'lost',
  doubled: 'doubled',
  refused: 'refused',
  slowestMs: 'slowest ms',
  recoveredMs: 'recovered ms',
};

function tableHead(store: Store): string {
  const head = columns.map((column) => titles[column].padStart(titles[column].length + 2));
  return `${store.padEnd(8)}${head.join('')}`;
}

function tableLine(name: string, outcome: Outcome): string {
  const figures = columns.map((column) =>
    String(outcome[column]).padStart(titles[column].length + 2),
  );
  return `${name.padEnd(8)}${figures.join('')}`;
}
