import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantedFaults } from '../chaos/planted-faults.js';
import { checkout } from '../support/npm-start.js';

describe('the planted faults of the chaos run', () => {
  it.each(plantedFaults.map((fault) => [fault.title, fault] as const))(
    '"%s" fits exactly one place in the build',
    (_, { file, find }) => {
      const built = readFileSync(join(checkout, 'dist/modules', file), 'utf8');
      expect(built.split(find)).toHaveLength(2);
    },
  );
});
