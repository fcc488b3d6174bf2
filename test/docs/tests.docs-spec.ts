import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

const specs = ['src', 'libs', 'web/src', 'clients', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name}`,
    ),
  )
  .filter((path) => /[.-]spec\.tsx?$/.test(path) && !path.includes('node_modules'));

/** These wait for something that takes a while on purpose, and check that it took at least that long. */
const lowerBoundsOnly = [
  'libs/simulator/faults.spec.ts',
  'libs/simulator/webhooks.spec.ts',
  'test/e2e/client.e2e-spec.ts',
  'test/slow/number-pace.slow-spec.ts',
];

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the tests', () => {
  it('do not read the clock, which would test the machine instead of the product', () => {
    const clock = new RegExp(['performance\\.now', 'cpuUsage', 'hrtime'].join('|'));
    const readers = specs.filter((path) => clock.test(textOf(path)));
    expect(readers.filter((path) => !path.endsWith('tests.docs-spec.ts')).toSorted()).toEqual(
      lowerBoundsOnly,
    );
  });

  it.each(lowerBoundsOnly)('of %s compare the clock with lower bounds only', (path) => {
    const judged = textOf(path)
      .split('\n')
      .filter((line) => /expect\(.*(?:performance\.now|\.at\b)/.test(line));
    expect(judged.length).toBeGreaterThan(0);
    for (const line of judged) expect(line).toMatch(/\.toBeGreaterThan(?:OrEqual)?\(/);
  });
});

describe('the lock file', () => {
  interface Package {
    readonly resolved?: string;
    readonly integrity?: string;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  }
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, Package>;
  };

  it('names the optional packages of every system, so that an installation changes nothing in it', () => {
    const isFound = (path: string, name: string): boolean => {
      if (`${path}${path && '/'}node_modules/${name}` in packages) return true;
      return (
        path !== '' &&
        isFound(path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1)), name)
      );
    };
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isFound(path, name)),
    );
    expect(missing).toEqual([]);
  });

  it('names no registry, so that any registry works', () => {
    expect(Object.keys(packages).filter((path) => packages[path]?.resolved)).toEqual([]);
  });
});
