import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './npm-start.js';

/**
 * Lays out what the image holds, with the script that the Dockerfile calls.
 * @param folder outside of the checkout, where no other package is in reach.
 */
export function layOutImage(folder: string): void {
  execFileSync(process.execPath, [join(checkout, 'scripts/payload.mjs'), folder]);
}

/** The last stage of the Dockerfile. */
export function imageStage(): string {
  const text = readFileSync(join(checkout, 'Dockerfile'), 'utf8');
  return text.slice(text.lastIndexOf('\nFROM '));
}

/** The programs of the Dockerfile, as it starts them. */
export function imageCommands(): {
  environment: Record<string, string>;
  start: string[];
  health: string[];
} {
  const last = imageStage();
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
