import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../support/npm-start.js';

const bundlesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cjs') && !name.startsWith('modules'))
    .map((name) => join(folder, name));

/** Compiles files with the code kept for them, as the program loader does, and returns which ones V8 rejected. */
const tryCode = `
  import { readFileSync } from 'node:fs';
  import { Module } from 'node:module';
  import { Script } from 'node:vm';
  const isTurnedDown = (path) =>
    new Script(Module.wrap(readFileSync(path, 'utf8')), { cachedData: readFileSync(path + '.code') })
      .cachedDataRejected;
  console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).filter(isTurnedDown)));`;

describe('the compiled code of the programs', () => {
  it('is there for every file of theirs, and taken', () => {
    const files = bundlesIn(join(checkout, 'dist'));
    expect(files.length).toBeGreaterThan(10);
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', tryCode], {
      input: JSON.stringify(files),
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual([]);
  });

  it.each([
    ['is missing', (path: string) => rmSync(path)],
    [
      'is of another version of Node',
      (path: string) => {
        // V8's version is in the first eight bytes, behind a number that is the same in all of them.
        const code = readFileSync(path);
        writeFileSync(path, code.fill(0xff, 4, 8));
      },
    ],
    ['is cut short', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 100))],
  ])('is made again if it %s', (_, spoil) => {
    const folder = mkdtempSync(join(tmpdir(), 'programs-'));
    const dist = join(folder, 'dist');
    for (const part of ['chunks', 'src', 'program-loader.mjs']) {
      cpSync(join(checkout, 'dist', part), join(dist, part), { recursive: true });
    }
    cpSync(join(checkout, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'));
    for (const path of bundlesIn(dist)) spoil(`${path}.code`);

    const { status, stderr } = spawnSync(process.execPath, [join(dist, 'src/main.js')], {
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^DATABASE_URL is missing/),
    });
    rmSync(folder, { recursive: true });
  });
});
