// npm test: installs what is missing, runs jest with the arguments given, and names what this machine
// cannot run. `--projects=unit,docs` chooses projects of jest.config.js; the default is all but `slow`.
// The tests that need a build make it themselves (test/support/services.mjs).
import './node-version.mjs';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { complain, say, textOf } from './start/console.mjs';
import { install } from './start/install.mjs';

const root = resolve(import.meta.dirname, '..');

/**
 * Linux's file system in memory. A database is a thousand small files; copying one takes a tenth of the
 * time there, and the tests copy some two hundred.
 */
const memoryFolder = '/dev/shm';
const memoryWanted = 2 ** 31;

/** Debian's PostgreSQL of versions that Parley refuses; each has a folder of its own. */
const oldPostgres = [17, 16, 15, 14, 13].map((major) => `/usr/lib/postgresql/${major}/bin/initdb`);

/** Programs that some tests need and npm cannot install. */
const neededPrograms = [
  {
    tests: 'tests against Redis',
    project: 'integration',
    programs: ['redis-server'],
    package: 'redis-server',
  },
  {
    tests: 'the Python examples of the documentation',
    project: 'docs',
    programs: ['python3'],
    package: 'python3',
  },
  {
    tests: 'the refusal of a PostgreSQL that is too old',
    project: 'slow',
    programs: oldPostgres,
    package: 'postgresql',
  },
  {
    tests: 'the settings of ops/systemd',
    project: 'integration',
    programs: ['systemd-analyze'],
    package: 'systemd',
  },
  ...[
    ['nginx', 'nginx-light'],
    ['caddy', 'caddy'],
  ].map(([program, name]) => ({
    tests: `the sample of ops/proxy for ${program}`,
    project: 'slow',
    programs: [program, `/usr/sbin/${program}`],
    package: name,
  })),
  ...[
    ['PHP', 'php', 'php-cli'],
    ['Ruby', 'ruby', 'ruby'],
    ['Go', 'go', 'golang-go'],
    ['Java', 'java', 'default-jdk-headless'],
  ].map(([language, program, name]) => ({
    tests: `the ${language} example of docs/webhooks.md`,
    project: 'docs',
    programs: [program],
    package: name,
  })),
];

try {
  await install(root);
} catch (error) {
  complain(textOf(error));
  process.exit(1);
}

const projectsOption = '--projects=';
const isProjects = (arg) => arg.startsWith(projectsOption);
const args = process.argv.slice(2).filter((arg) => !isProjects(arg));
const projects =
  process.argv.find(isProjects)?.slice(projectsOption.length) ?? 'unit,docs,integration,e2e';
const isWatching = args.some((arg) => arg.startsWith('--watch'));
const temporaryFolder = makeTemporaryFolder();
const exitCode = await runJest(args);
if (exitCode > 128) await storesStopped();
// A store that stops may still write for a moment.
rmSync(temporaryFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
// A run with its own configuration leaves out only what that configuration says.
const leftOut = args.includes('--config')
  ? []
  : neededPrograms.filter(
      ({ project, programs }) => projects.split(',').includes(project) && !programs.some(isOnPath),
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
      // A group of its own, which can be ended as a whole. While you watch, jest reads the terminal and must stay in ours.
      detached: !isWatching,
      env: {
        ...process.env,
        ...(!args.includes('--config') && { PARLEY_TEST_PROJECTS: projects }),
        PARLEY_TEST_REDIS: isOnPath('redis-server') ? '1' : '0',
        PARLEY_TEST_OLD_POSTGRES: oldPostgres.find(isOnPath) ?? '',
        TMPDIR: temporaryFolder,
      },
    },
  );
  let endedBy = 0;
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ]) {
    process.on(signal, () => {
      endedBy = number;
      // Killing jest alone leaves its workers and what they started; stores stop when their owner is gone.
      process.kill(isWatching ? jest.pid : -jest.pid, 'SIGKILL');
    });
  }
  return new Promise((done) =>
    jest.once('exit', (code) => done(endedBy ? 128 + endedBy : (code ?? 1))),
  );
}

/**
 * Waits until each PostgreSQL of a run that was ended has stopped, for ten seconds at most. Its guard finds it by this
 * file: without the file it would run on.
 */
async function storesStopped() {
  const isThere = (name) => existsSync(join(temporaryFolder, name, 'postgres', 'postmaster.pid'));
  for (let left = 100; left > 0 && readdirSync(temporaryFolder).some(isThere); left -= 1)
    await pause(100);
}

/** Where the tests put everything: in memory if there is room. Every user may enter it. */
function makeTemporaryFolder() {
  const folder = mkdtempSync(join(hasRoomInMemory() ? memoryFolder : tmpdir(), 'parley-tests-'));
  chmodSync(folder, 0o1777);
  return folder;
}

function hasRoomInMemory() {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return Math.min(bavail * bsize, freemem() / 2) >= memoryWanted;
  } catch {
    return false;
  }
}

function isOnPath(program) {
  if (isAbsolute(program)) return existsSync(program);
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)));
}
