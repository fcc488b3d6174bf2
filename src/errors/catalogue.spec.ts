import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from './catalogue.js';

const page = readFileSync(join(process.cwd(), 'docs/errors.md'), 'utf8');

interface Documented {
  readonly code: string;
  /** The first number named. */
  readonly status: number;
  /** The first word: it holds for that status. */
  readonly isRetryable: boolean;
}

const toDocumented = ([, code = '', status, retryable]: RegExpMatchArray): Documented => ({
  code,
  status: Number(status),
  isRetryable: retryable === 'yes',
});

const sections = [
  ...page.matchAll(/^### ([A-Z_]+)\n\nStatus (\d{3})[^\n]*? Retryable: (yes|no)/gm),
].map(toDocumented);
const rows = [
  ...page.matchAll(/^\| \[([A-Z_]+)\]\(#[a-z_]+\) *\| (\d{3})[^|]*\| (yes|no)[^|]*\|$/gm),
].map(toDocumented);

const declared: Documented[] = Object.entries(catalogue).map(([code, { status, retryable }]) => ({
  code,
  status,
  isRetryable: retryable,
}));

const byCode = (all: readonly Documented[]) =>
  all.toSorted((a, b) => (a.code < b.code ? -1 : Number(a.code > b.code)));

describe('docs/errors.md', () => {
  it('has a section for every code of the catalogue and for no other, with its status', () => {
    expect(byCode(sections)).toEqual(byCode(declared));
  });

  it('lists the same codes in its table', () => {
    expect(byCode(rows)).toEqual(byCode(declared));
  });

  it('says for every code why it comes and what to do', () => {
    const texts = page.split(/^### /m).slice(1);
    const silent = texts.filter(
      (text) => !text.includes('**Cause.**') || !text.includes('**What to do.**'),
    );
    expect(silent.map((text) => text.split('\n', 1)[0])).toEqual([]);
  });
});
