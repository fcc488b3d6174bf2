import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError, say } from './console.mjs';

/** We wait no longer than this for a build or install of another process. */
const otherStartMaxMs = 15 * 60_000;

/** Everything that `npm run build` reads, apart from node_modules. */
const buildInputs = [
  'src',
  'libs',
  'web',
  'ormconfig.ts',
  'nest-cli.json',
  'package.json',
  'scripts/bundle.mjs',
  'scripts/bundled-packages.mjs',
  'scripts/node-version.mjs',
];

/**
 * Brings node_modules and dist up to date, when they are not. Several starts in one checkout take
 * turns.
 *
 * @throws StartError when npm fails; its output is above.
 */
export async function installAndBuild(root, { signal } = {}) {
  await install(root, { signal });
  if (isBuilt(root)) return;
  const release = await waitForTurn(root, signal);
  try {
    if (isBuilt(root)) return;
    say('Building (npm run build) …');
    const fingerprint = fingerprintInputs(root);
    // A build cut short leaves half of one.
    rmSync(stampPath(root), { force: true });
    await runNpm(root, ['run', '--silent', 'build'], signal);
    writeFileSync(stampPath(root), fingerprint);
  } finally {
    release();
  }
}

/** Brings node_modules up to date, when it is not; see `installAndBuild`. */
export async function install(root, { signal } = {}) {
  if (isInstalled(root)) return;
  const release = await waitForTurn(root, signal);
  try {
    if (isInstalled(root)) return;
    // `npm ci` changes no file of the checkout, but it begins with an empty node_modules.
    const command = existsSync(join(root, 'node_modules')) ? 'install' : 'ci';
    say(`Installing packages (npm ${command}) …`);
    await runNpm(
      root,
      [command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
      signal,
    );
  } finally {
    release();
  }
}

/** Whether node_modules holds what package-lock.json names, in the same versions. */
function isInstalled(root) {
  const wanted = readJson(join(root, 'package-lock.json'));
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages ?? {};
  const manifest = readJson(join(root, 'package.json'));
  if (!wanted || !manifest) return false;
  const declared = wanted.packages[''] ?? {};
  const sameDeclarations = ['dependencies', 'devDependencies'].every((kind) =>
    hasSameEntries(manifest[kind] ?? {}, declared[kind] ?? {}),
  );
  return (
    sameDeclarations &&
    Object.entries(wanted.packages)
      .filter(([path]) => path.startsWith('node_modules/'))
      .every(([path, entry]) =>
        installed[path]
          ? installed[path].version === entry.version
          : entry.optional || entry.devOptional || entry.peer,
      )
  );
}

/** Whether dist is a complete build of the present sources. */
function isBuilt(root) {
  // A compiler that was stopped, such as that of `npm run dev`, leaves no modules.
  if (!existsSync(join(root, 'dist/modules/src/start/supervisor.js'))) return false;
  const builtFrom = readText(stampPath(root));
  return builtFrom !== undefined && builtFrom === fingerprintInputs(root);
}

function stampPath(root) {
  return join(root, 'dist', '.built-from');
}

function fingerprintInputs(root) {
  const hash = createHash('sha256');
  const configs = readdirSync(root).filter((name) =>
    /^(tsconfig.*|package-lock)\.json$/.test(name),
  );
  for (const path of listFiles(root, [...buildInputs, ...configs])) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(root, paths) {
  return paths.toSorted().flatMap((path) => {
    const name = basename(path);
    if (name === 'node_modules' || name === 'dist' || name.endsWith('.spec.ts')) return [];
    try {
      const inside = readdirSync(join(root, path)).map((entry) => `${path}/${entry}`);
      return listFiles(root, inside);
    } catch (error) {
      if (error.code === 'ENOTDIR') return [path];
      if (error.code === 'ENOENT') return [];
      throw error;
    }
  });
}

/** Takes the lock of the checkout: a file with its owner's pid. @returns what gives it back. */
async function waitForTurn(root, signal) {
  const path = join(root, '.build.lock');
  const mine = String(process.pid);
  const deadline = performance.now() + otherStartMaxMs;
  for (let told = false; performance.now() < deadline; ) {
    try {
      writeFileSync(path, mine, { flag: 'wx', mode: 0o600 });
      return () => {
        if (readText(path) === mine) rmSync(path, { force: true });
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = readText(path);
    if (owner !== undefined && isStale(path, owner)) clearStale(path, owner);
    else {
      if (!told) say(`Another start (pid ${owner}) is installing or building here; waiting …`);
      told = true;
      await pause(200, undefined, { signal });
    }
  }
  throw new StartError(
    `The other start has not finished. If it hangs, stop it and remove ${path}.`,
  );
}

/** Whether the owner has died. An empty file is one that is being written; pids are used again after a while. */
function isStale(path, owner) {
  try {
    if (owner === String(process.pid)) return true;
    if (Date.now() - statSync(path).mtimeMs > otherStartMaxMs) return true;
    process.kill(Number(owner), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Of two that do this at once, the slower may catch the lock that the faster has just taken: it puts that back. */
function clearStale(path, owner) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readText(aside) !== owner) linkSync(aside, path);
  } catch {
    // Another process was faster.
  }
  rmSync(aside, { force: true });
}

/** Runs npm in a process group of its own, so that stopping reaches what npm has started too. */
async function runNpm(root, args, signal) {
  const npm = process.env.npm_execpath ?? '';
  const [command, first] = /npm-cli\.[cm]?js$/.test(npm) ? [process.execPath, [npm]] : ['npm', []];
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Not the caller's NODE_ENV: with jest's "test" the page would become a development build.
    env: { ...process.env, NODE_ENV: 'production' },
    detached: true,
  });
  const stop = () => {
    if (child.pid) process.kill(-child.pid, 'SIGTERM');
  };
  signal?.addEventListener('abort', stop);
  try {
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (exitCode, exitSignal) => resolve(exitCode ?? exitSignal));
    });
    signal?.throwIfAborted();
    if (code !== 0) {
      throw new StartError(
        `npm ${args[0] === 'run' ? 'run build' : args[0]} failed (${code}); see above. Fix that and start again.`,
      );
    }
  } catch (error) {
    if (error.code === 'ENOENT')
      throw new StartError('npm is not on the PATH; it comes with Node.');
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function hasSameEntries(left, right) {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
  );
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
