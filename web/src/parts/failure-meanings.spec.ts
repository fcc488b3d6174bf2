import { describe, expect, it } from '@jest/globals';
import { errorTexts } from '../../../libs/whatsapp/error-texts.ts';
import { knownTextOf, meaningOf } from './failure-meanings.ts';

describe('what a failure means', () => {
  it.each(['130472', '131000', '131030', '131050', '132012', '133010', '250', 'unreachable'])(
    'is known for %s, with an advice',
    (code) => {
      expect(knownTextOf(code)).toEqual({
        meaning: expect.stringMatching(/^[A-Z]/),
        advice: expect.stringMatching(/\.$/),
      });
    },
  );

  it.each([...errorTexts.keys()].filter((key) => /^\d+$/.test(key)))(
    'tells nobody to send a template instead of one: %s',
    (code) => {
      const known = knownTextOf(code, 'template');
      // Only what must change about the template itself may be named.
      expect(known?.advice).not.toMatch(/Send a template(?! of category)/);
      expect(known?.meaning).not.toMatch(/template is needed/);
    },
  );

  it.each(['130472', '131047'])('takes no side where the type is not known: %s', (code) => {
    expect(knownTextOf(code)?.meaning).not.toMatch(/template/);
    expect(knownTextOf(code)?.advice).not.toMatch(/template/);
  });

  it('differs for templates where the advice is to send one', () => {
    const codes = [...errorTexts.keys()].filter((key) => /^\d+$/.test(key));
    const differing = codes.filter(
      (code) => knownTextOf(code, 'template')?.advice !== knownTextOf(code, 'text')?.advice,
    );
    expect(differing.toSorted()).toEqual(['130472', '131047']);
  });

  it.each(['999999', 'withdrawn', ''])('is WhatsApp’s own text for %j', (code) => {
    expect(knownTextOf(code)).toBeUndefined();
    expect(meaningOf(code)).toBe('Unknown to Parley; each message has WhatsApp’s own text');
  });
});
