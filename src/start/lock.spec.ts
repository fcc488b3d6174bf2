import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeLock } from './lock.js';

describe('the lock of a data folder', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-lock-'));
    path = join(folder, 'lock');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('belongs to one owner until it is released', () => {
    const first = takeLock(path);
    expect(takeLock(path)).toEqual({ owner: process.pid });
    if ('release' in first) first.release();
    expect(takeLock(path)).toHaveProperty('release');
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it.each([
    [
      'a process that has died',
      JSON.stringify({ pid: process.pid, identity: 'of an earlier one' }),
    ],
    ['nobody', 'not a lock'],
  ])('is free when it names %s', (_, text) => {
    writeFileSync(path, text);
    expect(takeLock(path)).toHaveProperty('release');
    expect(readdirSync(folder)).toEqual(['lock']);
  });
});
