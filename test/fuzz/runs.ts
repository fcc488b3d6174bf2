import fc from 'fast-check';

/** Generated calls for each figure; `FUZZ_RUNS` makes the suite shorter or longer. */
export const runs = Number(process.env.FUZZ_RUNS ?? 10_000);

/** Mutated answers, pages and notifications of the platform, for each figure. */
export const platformRuns = Math.ceil(runs / 2);

/** Calls that run at the same time; the suite checks the database after each group. */
const groupSize = 50;

/**
 * Generates `count` values and hands them over in groups. A failure prints the seed and the path, which
 * `FUZZ_SEED` and `FUZZ_PATH` repeat.
 */
export async function inGroups<T>(
  count: number,
  arbitrary: fc.Arbitrary<T>,
  tryGroup: (group: readonly T[]) => Promise<void>,
): Promise<void> {
  const { FUZZ_SEED: seed, FUZZ_PATH: path } = process.env;
  await fc.assert(
    fc.asyncProperty(fc.array(arbitrary, { minLength: groupSize, maxLength: groupSize }), tryGroup),
    {
      numRuns: Math.ceil(count / groupSize),
      // A group is fifty calls: to shrink it would make thousands, and the failure names its call.
      endOnFailure: true,
      ...(seed !== undefined && { seed: Number(seed) }),
      ...(path !== undefined && { path }),
    },
  );
}

/** Prints a figure of the suite, in addition to jest's output. */
export function report(figure: string): void {
  process.stdout.write(`${figure}\n`);
}
