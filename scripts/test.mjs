// npm test: installs and builds what is stale, runs jest with the arguments given, and names what had
// to be left out on this machine.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { complain, StartError, say } from './start/console.mjs';
import { installAndBuild } from './start/install.mjs';

const root = resolve(import.meta.dirname, '..');

/** Programs that some tests need and npm cannot bring. */
const NEEDED = [
  {
    tests: 'tests against Redis',
    folder: 'test/integration',
    programs: ['redis-server'],
    package: 'redis-server',
  },
  {
    tests: 'the Python client of docs/signing.md',
    folder: 'docs/examples',
    programs: ['python3'],
    package: 'python3',
  },
  {
    tests: 'browser tests',
    folder: 'test/browser',
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    package: 'chromium',
  },
];

try {
  await installAndBuild(root);
} catch (error) {
  complain(error instanceof StartError ? error.message : error.stack);
  process.exit(1);
}

const exitCode = await runJest(process.argv.slice(2));
const leftOut = NEEDED.filter(
  ({ folder, programs }) => existsSync(join(root, folder)) && !programs.some(isOnPath),
);
if (leftOut.length > 0) {
  const named = leftOut.map((needed) => `${needed.tests} (install the package ${needed.package})`);
  say(`left out: ${named.join('; ')}`);
}
process.exit(exitCode);

function runJest(args) {
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join(root, 'node_modules/jest/bin/jest.js'),
      ...args,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PARLEY_TEST_REDIS: isOnPath('redis-server') ? '1' : '0' },
    },
  );
  // Ctrl-C reaches jest from the terminal; it ends by itself and we tell how.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => jest.kill('SIGTERM'));
  return new Promise((done) => jest.once('exit', (code) => done(code ?? 1)));
}

function isOnPath(program) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)));
}
