const base = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^#libs/(.*)$': '<rootDir>/libs/$1/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2023',
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
};

const project = (displayName, testMatch, extra = {}) => ({
  ...base,
  displayName,
  testMatch,
  ...extra,
});

/** Builds what is stale and starts one PostgreSQL and one Redis for the whole run; see test/support/services.mjs. */
const services = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

const ofBothStores = [
  'api-key-changes',
  'daily-limit',
  'echoes',
  'event-feed',
  'health',
  'platform-notifications',
  'secrets-at-rest',
  'send-order',
  'sends',
  'webhook-deliveries',
];

const projects = [
  project('unit', ['<rootDir>/{src,libs,web/src}/**/*.spec.ts']),
  project('docs', ['<rootDir>/test/docs/**/*.docs-spec.ts']),
  project('integration', ['<rootDir>/test/integration/**/*.int-spec.ts'], services),
  project('e2e', ['<rootDir>/test/e2e/**/*.e2e-spec.ts'], {
    ...services,
    globals: { storesOfProject: ['postgres'] },
  }),
  // The end-to-end tests whose answers come from the store, once more on the second one.
  project('redis', [`<rootDir>/test/e2e/{${ofBothStores.join(',')}}.e2e-spec.ts`], {
    ...services,
    globals: { storesOfProject: ['redis'] },
  }),
  // Kills, outages, real time-outs and everything that only the wall clock can judge.
  project('slow', ['<rootDir>/test/slow/**/*.slow-spec.ts'], services),
];

/** Set by scripts/test.mjs; all of them otherwise. */
const wanted = process.env.PARLEY_TEST_PROJECTS?.split(',');

export default {
  coverageProvider: 'v8',
  // Whole-app tests mostly wait for their own processes.
  maxWorkers: 3,
  // jest reads this here only, not in a project.
  testTimeout: 120_000,
  projects: projects.filter(({ displayName }) => wanted?.includes(displayName) ?? true),
};
