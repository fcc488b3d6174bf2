import { csvLine, textCell } from './csv.js';

describe('a line of CSV', () => {
  it('quotes what would end a cell', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', ''])).toBe(
      'a,"b,c","say ""hi""","two\nlines",\r\n',
    );
  });
});

describe('a cell with a text from elsewhere', () => {
  it.each(['=1+1', '+44', '-1', '@name', '\tx'])('is no formula: %j', (text) => {
    expect(textCell(text)).toBe(`'${text}`);
  });

  it.each(['', 'Form', '1-2'])('stays as it is: %j', (text) => {
    expect(textCell(text)).toBe(text);
  });

  it('is empty for nothing', () => {
    expect(textCell(null)).toBe('');
  });
});
