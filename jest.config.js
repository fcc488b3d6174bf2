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

export default {
  coverageProvider: 'v8',
  projects: [project('unit', ['<rootDir>/{src,libs}/**/*.spec.ts'])],
};
