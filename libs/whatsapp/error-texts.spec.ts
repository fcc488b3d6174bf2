import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTextOf, errorTexts, hopelessCodes, isHopeless } from './error-texts.js';
import { findErrorFacts, platformErrors } from './errors.js';

const page = readFileSync(join(process.cwd(), 'docs/errors.md'), 'utf8');

describe('the words for the codes of WhatsApp', () => {
  it('are there for every code that has a handling, and for no other', () => {
    const special = ['100/33', '200-299'];
    expect([...errorTexts.keys()].filter((key) => !special.includes(key)).toSorted()).toEqual(
      [...platformErrors.keys()].map(String).toSorted(),
    );
    expect(errorTexts.size).toBe(platformErrors.size + special.length);
  });

  it('have a meaning, and an advice in whole sentences', () => {
    const poor = [...errorTexts].filter(
      ([, { meaning, advice }]) => !/^[A-Z].*[^.]$/.test(meaning) || !/^[A-Z].*\.$/.test(advice),
    );
    expect(poor).toEqual([]);
  });

  it('are what callers of the API read', () => {
    for (const [code, { title }] of platformErrors) {
      expect([code, title]).toEqual([code, errorTextOf(code)?.meaning]);
    }
    for (const error of [
      { code: 100, subcode: 33 },
      { code: 231, subcode: null },
    ]) {
      expect(findErrorFacts(error)?.title).toBe(errorTextOf(error.code, error.subcode)?.meaning);
    }
  });

  it('tell first that 130472 needs a template, and then of the experiment', () => {
    expect(errorTextOf(130472)?.meaning).toBe(errorTextOf(131047)?.meaning);
    expect(errorTextOf(130472)?.advice).toMatch(
      /^Send a template\. .*experiment.*does not help\.$/,
    );
  });

  it('are the rows of docs/errors.md', () => {
    const rows = [...page.matchAll(/^\| (\d+(?:[/-]\d+)?) *\| ([^|]+?) *\| ([^|]+?) *\|$/gm)];
    expect(rows.map(([, code, meaning, advice]) => [code, meaning, advice])).toEqual(
      [...errorTexts].map(([code, { meaning, advice }]) => [code, meaning, advice]),
    );
  });

  it('do not ask to send once more where that is hopeless', () => {
    for (const code of hopelessCodes) {
      const advice = errorTexts.get(code)?.advice;
      expect(advice).not.toMatch(/[Ss]end (it|this template) again|later|Wait|Sync/);
      expect(platformErrors.get(Number(code))?.retryable).toBe(false);
    }
  });

  it.each([100, 131008, 131009, 131051, 132005, 132008, 132018])(
    'say that the message itself has to change: %i',
    (code) => {
      expect(isHopeless(String(code), { type: 'template' })).toBe(true);
      expect(isHopeless(String(code), { type: 'text', isWindowOpen: true })).toBe(true);
    },
  );

  it.each([131014, 131052, 131053, 132000, 132001, 132007, 132012, 132015, 132016, 135000])(
    'leave hope where the cause can go away without another message: %i',
    (code) => {
      expect(isHopeless(String(code), { type: 'template' })).toBe(false);
      expect(isHopeless(String(code))).toBe(false);
    },
  );

  it('are null for an unknown code', () => {
    expect(errorTextOf(999_999)).toBeNull();
  });
});
