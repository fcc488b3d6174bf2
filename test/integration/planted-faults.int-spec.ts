import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantedFaults } from '../chaos/planted-faults.js';
import { checkout } from '../support/npm-start.js';

describe('the planted faults of the chaos run', () => {
  const inTheBuild = plantedFaults.flatMap(({ title, file, find }) =>
    file && find ? [[title, file, find] as const] : [],
  );

  it.each(inTheBuild)('"%s" fits exactly one place in the build', (_, file, find) => {
    const built = readFileSync(join(checkout, 'dist/modules', file), 'utf8');
    expect(built.split(find)).toHaveLength(2);
  });
});
