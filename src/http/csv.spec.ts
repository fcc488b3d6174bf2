import { formulas, plainTexts } from '../../test/support/formulas.js';
import { csvLine, textCell } from './csv.js';

describe('a line of CSV', () => {
  it('quotes what would end a cell', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', ''])).toBe(
      'a,"b,c","say ""hi""","two\nlines",\r\n',
    );
  });
});

describe('a cell with a text from elsewhere', () => {
  it.each(formulas)('is no formula: %j', (text) => {
    expect(textCell(text)).toBe(`'${text}`);
  });

  it.each(plainTexts)('stays as it is: %j', (text) => {
    expect(textCell(text)).toBe(text);
  });

  it('is empty for nothing', () => {
    expect(textCell(null)).toBe('');
  });
});
