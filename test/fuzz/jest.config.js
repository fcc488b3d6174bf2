import { resolve } from 'node:path';
import base from '../../jest.config.js';

const rootDir = resolve(import.meta.dirname, '../..');
const [e2e] = base.projects.filter(({ displayName }) => displayName === 'e2e');

/** The long suite of hostile input: `npm run test:fuzz`. */
export default {
  rootDir,
  maxWorkers: 1,
  testTimeout: 1_200_000,
  projects: [
    {
      ...e2e,
      rootDir,
      displayName: 'fuzz',
      testMatch: ['<rootDir>/test/fuzz/**/*.fuzz-spec.ts'],
    },
  ],
};
