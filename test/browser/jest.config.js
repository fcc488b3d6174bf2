import config from '../../jest.config.js';

const [unit] = config.projects;

/** The dashboard in a real browser, on what `npm start` runs. */
export default {
  ...unit,
  rootDir: '../..',
  displayName: 'browser',
  testMatch: ['<rootDir>/test/browser/**/*.browser-spec.ts'],
  globalSetup: '<rootDir>/test/browser/need-chromium.mjs',
  testTimeout: 60_000,
  // Each file starts an installation of its own; the long one runs beside the others.
  maxWorkers: 2,
};
