import { describe, expect, it } from '@jest/globals';
import { textCell } from '../../../src/http/csv.ts';
import { formulas, plainTexts } from '../../../test/support/formulas.ts';
import { cellText } from './cells.ts';

describe('a cell of a file', () => {
  it.each([...formulas, ...plainTexts])(
    'that an export has written says what it said: %j',
    (text) => {
      expect(cellText(textCell(text))).toBe(text.trim());
    },
  );

  it('keeps an apostrophe of its own, and is empty where there is none', () => {
    expect(cellText("'t Hart")).toBe("'t Hart");
    expect(cellText(undefined)).toBe('');
  });
});
