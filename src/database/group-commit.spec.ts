import { jest } from '@jest/globals';
import fc from 'fast-check';
import { GroupCommit } from './group-commit.js';

/** A commit that the test finishes by hand, group by group. */
function controlledCommit() {
  const groups: { items: readonly number[]; finish: () => void; fail: (error: Error) => void }[] =
    [];
  const commit = (items: readonly number[]) =>
    new Promise<readonly number[]>((resolve, reject) => {
      groups.push({
        items,
        finish: () => resolve(items.map((item) => item * 10)),
        fail: reject,
      });
    });
  return { groups, commit };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const withCode = (code: string) => Object.assign(new Error(code), { code });

describe('group commit', () => {
  afterEach(() => jest.useRealTimers());

  it('writes a lone item at once', async () => {
    const { groups, commit } = controlledCommit();
    const group = new GroupCommit({ commit, maxSize: 10 });
    const result = group.enqueue(1);
    await turn();
    expect(groups.map(({ items }) => items)).toEqual([[1]]);
    groups[0]?.finish();
    await expect(result).resolves.toBe(10);
  });

  it('gathers what arrives while a write is in flight into the next one', async () => {
    const { groups, commit } = controlledCommit();
    const group = new GroupCommit({ commit, maxSize: 10 });
    const results = [group.enqueue(1)];
    await turn();
    results.push(group.enqueue(2), group.enqueue(3));
    await turn();
    expect(groups).toHaveLength(1);
    groups[0]?.finish();
    await turn();
    expect(groups[1]?.items).toEqual([2, 3]);
    groups[1]?.finish();
    await expect(Promise.all(results)).resolves.toEqual([10, 20, 30]);
  });

  it('lets a group gather while callers are about, and writes a full one at once', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] });
    const { groups, commit } = controlledCommit();
    const group = new GroupCommit({ commit, maxSize: 4 });
    const results = [1, 2, 3, 4].map((item) => group.enqueue(item));
    await turn();
    jest.advanceTimersByTime(12);
    groups[0]?.finish();
    await turn();
    // The first one that comes now would be alone; it waits for those who come after it.
    results.push(group.enqueue(5));
    await turn();
    results.push(group.enqueue(6), group.enqueue(7));
    expect(groups).toHaveLength(1);
    jest.advanceTimersByTime(12);
    expect(groups[1]?.items).toEqual([5, 6, 7]);
    results.push(...[8, 9, 10, 11].map((item) => group.enqueue(item)));
    groups[1]?.finish();
    await turn();
    expect(groups[2]?.items).toEqual([8, 9, 10, 11]);
    groups[2]?.finish();
    await Promise.all(results);
  });

  it('never makes a group larger than its limit', async () => {
    const { groups, commit } = controlledCommit();
    const group = new GroupCommit({ commit, maxSize: 2 });
    const results = [1, 2, 3].map((item) => group.enqueue(item));
    await turn();
    expect(groups[0]?.items).toEqual([1, 2]);
    groups[0]?.finish();
    await turn();
    expect(groups[1]?.items).toEqual([3]);
    groups[1]?.finish();
    await expect(Promise.all(results)).resolves.toEqual([10, 20, 30]);
  });

  it('fails only the member whose data the store refuses', async () => {
    const sizes: number[] = [];
    const group = new GroupCommit({
      commit: async (items: readonly number[]) => {
        sizes.push(items.length);
        if (items.includes(2)) throw withCode('22P05');
        return items;
      },
      maxSize: 10,
    });
    const results = await Promise.allSettled([1, 2, 3].map((item) => group.enqueue(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(sizes).toEqual([3, 1, 1, 1]);
  });

  it('tries a deadlock again once, and fails every member when it happens again', async () => {
    let tries = 0;
    const group = new GroupCommit({
      commit: async (items: readonly number[]) => {
        tries += 1;
        if (tries !== 2) throw withCode('40P01');
        return items;
      },
      maxSize: 10,
    });
    await expect(group.enqueue(1)).resolves.toBe(1);
    tries = 2;
    await expect(group.enqueue(1)).rejects.toThrow('40P01');
  });

  it('gives every member the error when the store is away, and goes on afterwards', async () => {
    let isAway = true;
    const group = new GroupCommit({
      commit: async (items: readonly number[]) => {
        if (isAway) throw withCode('ECONNREFUSED');
        return items;
      },
      maxSize: 10,
    });
    const results = await Promise.allSettled([group.enqueue(1), group.enqueue(2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    await expect(group.enqueue(3)).resolves.toBe(3);
  });

  it('answers every item once, whatever comes in whatever order', async () => {
    const bad = withCode('22P02');
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('good', 'bad', 'deadlock', 'lost'), { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (scheduler, kinds, maxSize) => {
          const written = new Map<number, number>();
          let open = 0;
          let openMost = 0;
          const deadlocked = new Set<number>();
          const group = new GroupCommit<number, string>({
            maxSize,
            gathers: false,
            commit: async (items) => {
              open += 1;
              openMost = Math.max(openMost, open);
              expect(items.length).toBeLessThanOrEqual(maxSize);
              await scheduler.schedule(Promise.resolve(), 'commit');
              open -= 1;
              // All or nothing, as a statement is.
              if (items.some((item) => kinds[item] === 'lost')) throw withCode('08006');
              for (const item of items) {
                if (kinds[item] !== 'deadlock' || deadlocked.has(item)) continue;
                deadlocked.add(item);
                throw withCode('40P01');
              }
              if (items.some((item) => kinds[item] === 'bad')) throw bad;
              for (const item of items) written.set(item, (written.get(item) ?? 0) + 1);
              return items.map((item) => `written ${item}`);
            },
          });
          const answers = kinds.map((_, item) =>
            scheduler
              .schedule(Promise.resolve(), `item ${item}`)
              .then(() => group.enqueue(item))
              .then(
                (answer) => answer,
                (error: { code: string }) => error.code,
              ),
          );
          await scheduler.waitFor(Promise.all(answers));
          const known = await Promise.all(answers);
          kinds.forEach((kind, item) => {
            const isWritten = known[item] === `written ${item}`;
            // What was answered as written is, once; what was not is not.
            expect(written.get(item) ?? 0).toBe(isWritten ? 1 : 0);
            // Nothing spoils a group but a store that is away, and deadlock upon deadlock.
            const isSure = kinds.every((other) => other === 'good' || other === 'bad');
            expect(isWritten && (kind === 'bad' || kind === 'lost')).toBe(false);
            expect(isWritten || kind !== 'good' || !isSure).toBe(true);
          });
          expect(openMost).toBeLessThanOrEqual(1);
          expect(group.size).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });
});
