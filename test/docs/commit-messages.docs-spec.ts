import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../support/npm-start.js';

describe('the hook for messages of commits', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'commit-message-'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  /** What the hook objects to; empty where it lets the message through. */
  function objection(message: string): string {
    const file = join(folder, 'message');
    writeFileSync(file, message);
    const { status, stderr } = spawnSync(join(checkout, '.githooks/commit-msg'), [file], {
      encoding: 'utf8',
    });
    expect(status === 0).toBe(stderr === '');
    return stderr;
  }

  it.each([
    ['a subject of 72 characters and a body', `fix: ${'x'.repeat(67)}\n\nBecause it was wrong.\n`],
    ['comments of git', 'fix: a\n\nBecause.\n# Please enter the message\n'],
    ['a merge', "Merge branch 'one'\n"],
    ['a revert', 'Revert "fix: a"\n'],
    ['a fix for an earlier commit of the branch', 'fixup! fix: a\n'],
  ])('lets through %s', (_what, message) => {
    expect(objection(message)).toBe('');
  });

  it.each([
    ['a longer subject', `fix: ${'x'.repeat(68)}\n\nBecause.\n`, 'has 73 characters'],
    ['a subject alone', 'fix: a\n', 'Add a body'],
    ['comments in place of a body', 'fix: a\n\n# Please enter the message\n', 'Add a body'],
    ['a body right after the subject', 'fix: a\nBecause.\n', 'a blank line'],
  ])('refuses %s', (_what, message, reason) => {
    expect(objection(message)).toContain(reason);
  });
});
