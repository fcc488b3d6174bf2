import { Timers } from './timers.js';

describe('what a process repeats', () => {
  const logged: string[] = [];
  const logger = {
    warn: (_fields: unknown, text?: string) => {
      logged.push(text ?? '');
    },
  };
  let timers: Timers;

  beforeEach(() => {
    logged.length = 0;
    timers = new Timers(logger);
  });

  afterEach(() => timers.stop());

  /** Resolves when another timer of one millisecond has run so often. */
  const ticks = (count: number) =>
    new Promise<void>((resolve) => {
      const others = new Timers(logger);
      let left = count;
      others.every(1, 'count', () => {
        left -= 1;
        if (left > 0) return;
        others.stop();
        resolve();
      });
    });

  it('begins no run before the last one has ended', async () => {
    let runs = 0;
    let end = () => {};
    timers.every(1, 'work', () => {
      runs += 1;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    await ticks(5);
    expect(runs).toBe(1);
    end();
    await ticks(5);
    expect(runs).toBe(2);
  });

  it.each([
    ['throws', () => failure()],
    ['rejects', async () => failure()],
  ])('is logged when it %s, and runs again', async (_how, work) => {
    timers.every(1, 'do it', work);
    await ticks(5);
    expect(logged.length).toBeGreaterThan(1);
    expect(new Set(logged)).toEqual(new Set(['could not do it']));
  });

  it('runs no more once it is stopped', async () => {
    let runs = 0;
    timers.every(1, 'count', () => {
      runs += 1;
    });
    await ticks(2);
    timers.stop();
    const before = runs;
    await ticks(5);
    expect(runs).toBe(before);
  });
});

function failure(): never {
  throw new Error('it fails');
}
