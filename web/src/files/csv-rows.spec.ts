import { describe, expect, it } from '@jest/globals';
import { type FormChoice, formOf } from './csv-form.ts';
import { type CsvRow, rowsOf } from './csv-rows.ts';

type Content = string | Uint8Array<ArrayBuffer>;

async function read(content: Content | Blob, choice: FormChoice = {}) {
  const file = new Blob([content]);
  const form = await formOf(file, choice);
  const rows: CsvRow[] = [];
  for await (const group of rowsOf(file, form)) rows.push(...group);
  return { ...form, rows, cells: rows.map((row) => row.cells) };
}

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

const utf16 = (text: string, isLittle: boolean) =>
  Uint8Array.from(
    Array.from(text, (letter) => letter.charCodeAt(0)).flatMap((code) =>
      isLittle ? [code & 0xff, code >> 8] : [code >> 8, code & 0xff],
    ),
  );

describe('the delimiter of a file', () => {
  it.each([';', ',', '\t', '|'])(
    'is found in files of one to eight rows: %j',
    async (delimiter) => {
      for (let count = 0; count <= 8; count += 1) {
        for (const end of ['', '\n', '\r\n', '\n\n']) {
          const rows = Array.from({ length: count }, (_, at) => [`+44770090011${at}`, 'Mia']);
          const lines = [['phone', 'name'], ...rows].map((cells) => cells.join(delimiter));
          const found = await read(lines.join(end.startsWith('\r') ? '\r\n' : '\n') + end);
          expect(found).toMatchObject({ delimiter, columns: ['phone', 'name'], cells: rows });
        }
      }
    },
  );

  it('is what splits all lines alike, not what stands in names or amounts', async () => {
    const text = 'phone;name;sum\n+447700900118;Smith, Mia;1,50\n+447700900119;Jung, Ada;2,75\n';
    expect((await read(text)).columns).toEqual(['phone', 'name', 'sum']);
    const other = 'kunde;summe\nSmith, Mia;1,50\nJung, Ada;2,75\n';
    expect((await read(other)).columns).toEqual(['kunde', 'summe']);
  });

  it('is what the first line says, and what somebody chooses', async () => {
    expect(await read('sep=|\r\nphone|a;b\r\n+44|Mia;Jung\r\n')).toMatchObject({
      delimiter: '|',
      columns: ['phone', 'a;b'],
      rows: [{ line: 3, cells: ['+44', 'Mia;Jung'] }],
    });
    expect((await read('a;b,c\n1;2,3\n', { delimiter: ',' })).columns).toEqual(['a;b', 'c']);
  });

  it('is not needed in a file of numbers', async () => {
    expect(await read('phone\n+447700900118\n')).toMatchObject({
      columns: ['phone'],
      cells: [['+447700900118']],
    });
  });
});

describe('the letters of a file', () => {
  it('are those of Windows where one letter says so, however late', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${at},Mia`);
    const found = await read(bytesOf(['no,name', ...lines, '20000,Zo\u00eb'].join('\n')));
    expect(found.encoding).toBe('windows-1252');
    expect(found.cells.at(-1)).toEqual(['20000', 'Zoë']);
  });

  it('are those of UTF-8 where all are, wherever the parts of the file meet', async () => {
    const found = await read(`no,name\n${'1,Zoë\n'.repeat(50_000)}`);
    expect(found.encoding).toBe('utf-8');
    expect(new Set(found.cells.map(([, name]) => name))).toEqual(new Set(['Zoë']));
  });

  it.each([
    ['utf-16le', true, '\ufeff'],
    ['utf-16be', false, '\ufeff'],
    ['utf-16le', true, ''],
    ['utf-16be', false, ''],
  ])('are %s, with a mark in front and without', async (encoding, isLittle, mark) => {
    const found = await read(utf16(`${mark}phone;name\r\n+447700900118;Zoë\r\n`, isLittle));
    expect(found).toMatchObject({ encoding, cells: [['+447700900118', 'Zoë']] });
  });

  it('are what somebody chooses', async () => {
    const bytes = Uint8Array.from([...bytesOf('name,no\n'), 0xc0, 0xed, 0xed, 0xe0, 0x2c, 0x31]);
    expect((await read(bytes, { encoding: 'windows-1251' })).cells).toEqual([['Анна', '1']]);
  });
});

describe('the lines of a file', () => {
  it('end in any way, also in several', async () => {
    const text = 'phone,name\r\n1,a\r2,b\n3,c\r\n\r4,d\n\n5,e';
    expect((await read(text)).rows).toEqual([
      { line: 2, cells: ['1', 'a'] },
      { line: 3, cells: ['2', 'b'] },
      { line: 4, cells: ['3', 'c'] },
      { line: 6, cells: ['4', 'd'] },
      { line: 8, cells: ['5', 'e'] },
    ]);
  });

  it('lose none where a line break is cut by the parts of the file', async () => {
    for (const end of ['\r\n', '\r', '\n']) {
      const lines = Array.from({ length: 40_000 }, (_, at) => `${at},"a${end}b"`);
      const { rows } = await read(['no,name', ...lines].join(end) + end);
      expect(rows.length).toBe(40_000);
      expect(rows.at(-1)).toEqual({ line: 80_000, cells: ['39999', 'a\nb'] });
    }
  });

  it('have no cells behind those that the columns name', async () => {
    expect(await read('phone;name;;\n1;a;;\n2;b\n3;c;;;;\n')).toMatchObject({
      columns: ['phone', 'name'],
      cells: [
        ['1', 'a'],
        ['2', 'b'],
        ['3', 'c'],
      ],
    });
    expect((await read('phone;;name;\n1;x;a;y\n')).columns).toEqual(['phone', '', 'name', '']);
  });

  it.each([
    ['a title', 'Customers of May\n\nphone;name\n1;a\n', 3],
    ['a title as wide as the table', 'Customers;;\n"From: us";;\nphone;name;\n1;a;\n', 3],
    ['titles with line breaks', '"All\nof them";May\nphone;name\n1;a\n', 3],
    ['titles that are not named as numbers are', 'Customers;;\nkunde;name;\n1;a;\n', 2],
    ['empty lines', '\r\n;;\r\nphone;name\r\n1;a\r\n', 3],
  ])('begin below %s', async (_, text, head) => {
    const found = await read(text);
    expect(found).toMatchObject({ head, rows: [{ line: head + 1, cells: ['1', 'a'] }] });
    expect(found.columns.at(-1)).toBe('name');
  });

  it.each(['1,a\n2,"b\n3,c\n4,d\n', '1,a\n2,"b\n3,c\n4,"d"\n'])(
    'with a quote that stays open cost that line alone: %j',
    async (text) => {
      const { rows } = await read(`no,name\n${text}`);
      const fault = 'A quote opens here and does not close as it should';
      expect(rows.slice(0, 3)).toEqual([
        { line: 2, cells: ['1', 'a'] },
        { line: 3, cells: ['2', '"b'], fault },
        { line: 4, cells: ['3', 'c'] },
      ]);
      expect(rows[3]).toMatchObject({ line: 5 });
    },
  );

  it('with a quote that stays open lose no person to the next quote', async () => {
    const { rows } = await read(
      'phone,name\n+447700900118,"a\n+447700900119,b\n+447700900120,c"\n',
    );
    expect(rows.map(({ line, cells, fault }) => [line, cells[0], fault !== undefined])).toEqual([
      [2, '+447700900118', true],
      [3, '+447700900119', false],
      [4, '+447700900120', false],
    ]);
  });

  it('may be within a cell, such as an address', async () => {
    const address = '1 High Street, Leeds\nTel. +44 7700 900118';
    const { rows } = await read(`no,address\n1,"${address}"\n2,b\n`);
    expect(rows).toEqual([
      { line: 2, cells: ['1', address] },
      { line: 4, cells: ['2', 'b'] },
    ]);
  });

  it('with a quote that stays open at the end of the file are named', async () => {
    expect((await read('no,name\n1,"a')).rows).toMatchObject([
      { line: 2, fault: expect.stringContaining('quote') },
    ]);
  });

  it('are read behind an open quote in a long file', async () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `${at},Mia`);
    const { rows } = await read(`no,name\n"x,Ada\n${lines.join('\n')}\n`);
    expect(rows.length).toBe(100_001);
    expect(rows.filter(({ fault }) => fault)).toMatchObject([{ line: 2 }]);
    expect(rows.at(-1)).toEqual({ line: 100_002, cells: ['99999', 'Mia'] });
  });

  it('keep quotes within quotes on one line', async () => {
    expect((await read('no,name\n1,"Ann "Bo" Lee"\n2,5" wide\n')).cells).toEqual([
      ['1', 'Ann "Bo" Lee'],
      ['2', '5" wide'],
    ]);
  });
});
