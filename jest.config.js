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

/** One PostgreSQL, and one Redis where there is one, for the whole run; see test/support/services.mjs. */
const services = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

export default {
  coverageProvider: 'v8',
  // Whole-app tests mostly wait for their own processes.
  maxWorkers: 4,
  // jest reads this here only, not in a project.
  testTimeout: 120_000,
  projects: [
    project('unit', ['<rootDir>/{src,libs,web/src}/**/*.spec.ts']),
    project('integration', ['<rootDir>/test/integration/**/*.int-spec.ts'], services),
    project('e2e', ['<rootDir>/test/e2e/**/*.e2e-spec.ts'], services),
  ],
};
