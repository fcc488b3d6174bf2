import { setTimeout as pause } from 'node:timers/promises';
import { FaultRun, type Outcome } from '../support/fault-run.js';
import { type Store, stores } from '../support/installation.js';
import type { Load } from '../support/load.js';

/** Something that goes wrong while callers send, and what it may cost. */
interface Fault {
  /** Begins the references of the messages that were sent meanwhile. */
  readonly name: string;
  readonly happens: (run: FaultRun, load: Load) => Promise<void>;
}

const faults: readonly Fault[] = [
  {
    name: 'worker-killed',
    happens: (run, load) =>
      repeat(3, async () => {
        await run.killWorker();
        run.worker.launch();
        await run.accepts(load, 150);
      }),
  },
  {
    // Once for a moment, once for longer than callers wait for an uncertain commit.
    name: 'postgresql-killed',
    happens: async (run, load) => {
      for (const awayMs of [0, 2_500]) {
        await run.postgres.kill();
        await pause(awayMs);
        await run.postgres.restart();
        await run.accepts(load, 150);
      }
    },
  },
  {
    name: 'connections-terminated',
    happens: (run, load) =>
      repeat(5, async () => {
        await run.postgres.terminateBackends();
        await run.accepts(load, 150);
      }),
  },
  {
    name: 'api-killed',
    happens: (run, load) =>
      repeat(3, async () => {
        await run.api.kill();
        run.api.launch();
        await run.accepts(load, 150);
      }),
  },
  {
    name: 'redis-emptied',
    happens: (run, load) =>
      repeat(5, async () => {
        await run.flushRedis();
        await run.accepts(load, 100);
      }),
  },
  {
    name: 'redis-killed',
    happens: async (run, load) => {
      await run.killRedis();
      await run.accepts(load, 100);
      await run.restartRedis();
      await run.accepts(load, 100);
    },
  },
  {
    name: 'worker-stopped',
    happens: (run, load) =>
      repeat(2, async () => {
        await run.worker.restart();
        await run.accepts(load, 100);
      }),
  },
  {
    name: 'api-stopped',
    happens: async (run, load) => {
      await run.api.restart();
      await run.accepts(load, 100);
    },
  },
  {
    // What was under way is reset; what comes next is refused and tried again.
    name: 'platform-cut-off',
    happens: (run, load) =>
      repeat(3, async () => {
        await run.cutPlatform();
        await pause(300);
        await run.link.join();
        await run.accepts(load, 100);
      }),
  },
];

async function repeat(times: number, work: () => Promise<void>): Promise<void> {
  for (let round = 0; round < times; round += 1) await work();
}

/**
 * A worker freezes for 40 s, longer than its leases, while another one works. What it has
 * under way is declared unconfirmed; when it goes on, its results count and nothing goes out again.
 */
const frozen: Fault = {
  name: 'worker-frozen',
  happens: async (run, load) => {
    const thaw = pause(40_000);
    await run.freezeWorker(load);
    await run.accepts(load, 300);
    load.pause();
    await thaw;
    run.worker.signal('SIGCONT');
    load.resume();
    await run.accepts(load, 300);
  },
};

/** Leases are PostgreSQL's on either store; one of them shows it. */
const frozenStore: Store = 'postgres';

const faultsOf = (store: string) =>
  faults.filter(({ name }) => store === 'redis' || !name.startsWith('redis'));

/**
 * Everything below the product is killed, stopped, cut off or emptied while 48 callers send; then
 * the platform's ledger, the database and the callers' answers must agree. The stores run
 * in parallel, since most of the time is waiting for leases to end.
 */
describe('under load of 48 connections', () => {
  const outcomes = new Map<string, Map<string, Outcome>>();

  async function play(store: Store, chosen: readonly Fault[], workers: number): Promise<void> {
    const run = await FaultRun.start(store, workers);
    try {
      for (const { name, happens } of chosen) await run.during(name, (load) => happens(run, load));
      await run.quiet();
      outcomes.set(store, new Map([...(outcomes.get(store) ?? []), ...(await run.outcomes())]));
    } finally {
      await run.stop();
    }
  }

  beforeAll(async () => {
    await Promise.all([
      ...stores.map((store) => play(store, faultsOf(store), 1)),
      play(frozenStore, [frozen], 2),
    ]);
  }, 600_000);

  describe.each(stores)('on %s', (store) => {
    const played = store === frozenStore ? [...faultsOf(store), frozen] : faultsOf(store);

    describe.each(played)('$name', ({ name }) => {
      const outcome = () => outcomes.get(store)?.get(name);

      it('loses nothing that was accepted', () => {
        expect(outcome()).toMatchObject({ lost: [], stuck: [] });
      });

      it('sends nothing twice', () => {
        expect(outcome()).toMatchObject({ twice: [] });
      });

      it('says "sent" and "failed" only when it is true', () => {
        expect(outcome()).toMatchObject({ sentInVain: [], failedYetSent: [] });
      });

      it('leaves no more unconfirmed than was in flight', () => {
        expect(outcome()?.unconfirmed).toBeLessThanOrEqual(outcome()?.unconfirmedMax ?? 0);
      });

      it('refuses nothing that the platform has, and stores nothing that it refused', () => {
        expect(outcome()).toMatchObject({ refusedYetSent: [], refusedYetStored: [] });
      });

      it('answers in its envelope and in time', () => {
        expect(outcome()).toMatchObject({ bare: [] });
        expect(outcome()?.slowestMs).toBeLessThan(10_000);
      });
    });
  });
});
