import { describe, expect, it } from '@jest/globals';
import { formOf } from '../../files/csv-form.ts';
import { batchesOf, checkFile, type DoneLines, noLines } from './recipient-file.ts';
import { type LineRules, planFault, plannedColumns, type Variable } from './recipient-lines.ts';

const variables: Variable[] = [
  { name: 'first_name', place: 'Body {{1}}', isRequired: true, isText: true },
  { name: 'link', place: 'Button 1 URL', isRequired: false, isText: true },
];

const head = 'phone,first name,link,customer_no';

async function opened(content: string | Uint8Array<ArrayBuffer>, change = {}) {
  const file = new Blob([content]);
  const form = await formOf(file);
  const plan = { ...plannedColumns(form.columns, variables), ...change };
  const rules: LineRules = { columns: form.columns, variables, plan };
  return { file, form, rules };
}

async function checked(content: string | Uint8Array<ArrayBuffer>, change = {}) {
  const { file, form, rules } = await opened(content, change);
  return checkFile(file, form, rules, () => undefined);
}

const problemOf = async (line: string, change = {}) => {
  const { problems } = await checked(`${head}\n${line}\n`, change);
  return problems[0];
};

const utf16 = (text: string) =>
  Uint8Array.from(
    [0xfeff, ...Array.from(text, (character) => character.charCodeAt(0))].flatMap((code) => [
      code & 0xff,
      code >> 8,
    ]),
  );

describe('a file of recipients', () => {
  it.each([
    ['commas', `${head}\n+14155550123,Zoë,a/7,11\n`],
    ['semicolons and Windows line ends', `${head.replaceAll(',', ';')}\r\n+14155550123;Zoë;a/7;11`],
    ['tabs', `${head.replaceAll(',', '\t')}\n+14155550123\tZoë\ta/7\t11`],
    ['quotes', `${head}\n"+1 (415) 555-0123","Zoë","a/7","11"\n`],
    ['a mark of UTF-8 in front', `\ufeff${head}\n+14155550123,Zoë,a/7,11\n`],
    ['UTF-16', utf16(`${head}\n+14155550123,Zoë,a/7,11\n`)],
    [
      'the letters of Windows',
      Uint8Array.from(`${head}\n0014155550123,Zo\u00eb,a/7,11`, (letter) => letter.charCodeAt(0)),
    ],
  ])('is read with %s', async (_, content) => {
    const report = await checked(content);
    expect(report.problems).toEqual([]);
    expect(report.samples).toEqual([
      {
        line: 2,
        recipient: {
          to: '+14155550123',
          variables: { first_name: 'Zoë', link: 'a/7' },
          reference: '11',
        },
      },
    ]);
  });

  it('numbers lines as an editor does, over quoted line breaks and empty lines', async () => {
    const { problems } = await checked(`${head}\n+14155550123,"a\nb",,\n\n12,Mia,,\n`);
    expect(problems.map(({ line, what }) => [line, what])).toEqual([
      [2, 'A line break is not allowed here'],
      [5, 'No country code: a number starts with + or 00'],
    ]);
  });

  it.each([
    ['7700 900 44,Mia,,', 'phone', 'No country code: a number starts with + or 00'],
    ['+44 7700 900 38l,Mia,,', 'phone', '“l” is not a digit'],
    ['+44,Mia,,', 'phone', 'Too short for a number'],
    ['+4477009001182299,Mia,,', 'phone', 'Too long for a number'],
    ['+0447700900118,Mia,,', 'phone', 'No country code begins with 0'],
    [',Mia,,', 'phone', 'The recipient is missing'],
    [
      '5.5E+12,Mia,,',
      'phone',
      'The spreadsheet has cut this number: make the column a text and export again',
    ],
    ['#REF!,Mia,,', 'phone', '“#REF!” is an error of the spreadsheet'],
    ['+447700900118,#N/A,,', 'first name', '“#N/A” is an error of the spreadsheet'],
    ['+447700900118,Mia,#VALUE!,', 'link', '“#VALUE!” is an error of the spreadsheet'],
    ['+447700900118,Mia,,#WERT!', 'customer_no', '“#WERT!” is an error of the spreadsheet'],
    [
      '+447700900118,Zo\ufffd,,',
      'first name',
      'Contains “\ufffd”: a letter is lost. Choose the encoding that the file has, or write it again',
    ],
    ['+447700900118,Mi\u0081a,,', 'first name', 'Contains a control character (U+0081)'],
    ['+447700900118,"Mia,,', null, 'A quote opens here and does not close as it should'],
    ['+447700900118,,,', 'first name', 'Body {{1}} needs a value'],
    [
      '+447700900118,a\tb,,',
      'first name',
      'A tab or more than four spaces in a row are not allowed',
    ],
    [`+447700900118,${'a'.repeat(1_025)},,`, 'first name', 'At most 1,024 characters'],
    [
      `+447700900118,Mia,,${'a'.repeat(101)}`,
      'customer_no',
      'At most 100 characters for a reference',
    ],
    ['+447700900118,Mia', null, '2 columns, 4 expected'],
  ])('says what is wrong: %s', async (line, column, what) => {
    expect(await problemOf(line)).toMatchObject({ line: 2, column, what, kind: 'error' });
  });

  it('takes numbers without + if they have their country code, and user ids', async () => {
    const lines = `${head}\n447700900118,Mia,,\nUS.13491208655302741918,Mia,,\n`;
    expect((await checked(lines)).errors).toBe(1);
    const { samples } = await checked(lines, { hasBareCodes: true });
    expect(samples.map(({ recipient: { to, to_user_id: id } }) => to ?? id)).toEqual([
      '+447700900118',
      'US.13491208655302741918',
    ]);
  });

  it('leaves out who is there already', async () => {
    const lines = ['+44 7700 900118,Mia,,', '+44 7700 900119,Ada,,', '00447700900118,Mia,,'];
    expect(await checked([head, ...lines].join('\n'))).toMatchObject({
      lines: 3,
      good: 2,
      errors: 0,
      leftOut: 1,
      problems: [{ line: 4, what: 'Same person as line 2', kind: 'left out' }],
    });
  });

  it.each([
    ['Brazil', '+55 11 98765-4321', '+55 11 8765-4321'],
    ['Mexico', '+52 1 55 8765 4321', '+52 55 8765 4321'],
    ['Argentina', '+54 9 11 8765 4321', '+54 11 8765 4321'],
  ])('has one person in the two forms of a number of %s', async (_, one, other) => {
    for (const numbers of [
      [one, other],
      [other, one],
    ]) {
      const lines = numbers.map((number) => `${number},Mia,,`);
      expect(await checked([head, ...lines].join('\n'))).toMatchObject({
        good: 1,
        problems: [{ line: 3, what: 'Same person as line 2', kind: 'left out' }],
      });
    }
  });

  it('comes in batches that the API takes, and goes on after a line', async () => {
    const lines = Array.from(
      { length: 2_500 },
      (_, at) => `+4477${String(at).padStart(8, '0')},Mia,,`,
    );
    const { file, form, rules } = await opened([head, ...lines].join('\n'));
    const ends = async (after: number) => {
      const found: [number, number | undefined, number | undefined][] = [];
      for await (const batch of batchesOf(file, form, rules, { line: after })) {
        found.push([batch.recipients.length, batch.lines[0], batch.lines.at(-1)]);
      }
      return found;
    };
    expect(await ends(0)).toEqual([
      [1_000, 2, 1_001],
      [1_000, 1_002, 2_001],
      [500, 2_002, 2_501],
    ]);
    expect(await ends(2_001)).toEqual([[500, 2_002, 2_501]]);
  });

  describe('whose upload was cut off', () => {
    const lineOf = (index: number) => `+1415555${1_000 + index},Zoë,a/${index},11`;
    const all = Array.from({ length: 1_500 }, (_, index) => lineOf(index));
    const read = async (lines: readonly string[], done: DoneLines) => {
      const { file, form, rules } = await opened([head, ...lines].join('\n'));
      const batches = [];
      for await (const batch of batchesOf(file, form, rules, done)) batches.push(batch);
      return batches;
    };

    it('goes on where what is uploaded is still there, whatever follows it', async () => {
      const [first] = await read(all, noLines);
      const done = first?.done ?? noLines;
      expect(done).toEqual({ line: 1_001, mark: expect.any(Number) });
      expect((await read(all, done)).map(({ lines }) => lines[0])).toEqual([1_002]);
      expect(await read([...all, lineOf(2_000)], done)).toHaveLength(1);
      expect(await read(all.slice(0, 1_000), done)).toEqual([]);
      // The mark of a second part is the same, whether or not the reader began anew.
      const last = (await read(all, noLines)).at(-1)?.done;
      expect((await read(all, done)).at(-1)?.done).toEqual(last);
    });

    it.each([
      ['a line is gone', all.slice(1)],
      ['a line is new', [lineOf(3_000), ...all]],
      ['a value is another one', [`${lineOf(0)}2`, ...all.slice(1)]],
      ['two lines have changed places', [lineOf(1), lineOf(0), ...all.slice(2)]],
      ['it ends earlier', all.slice(0, 500)],
    ])('is not continued where %s', async (_, lines) => {
      const [first] = await read(all, noLines);
      await expect(read(lines, first?.done ?? noLines)).rejects.toThrow(
        'The lines until 1,001 are not those that were uploaded: the file has changed. Start over',
      );
    });
  });

  it('says so when the browser cannot read it any more', async () => {
    const { form, rules } = await opened(`${head}\n+14155550123,Zoë,a/7,11\n`);
    const file = new Blob();
    file.stream = () =>
      new ReadableStream({ pull: (out) => out.error(new DOMException('No.', 'NotReadableError')) });
    await expect(checkFile(file, form, rules, () => undefined)).rejects.toThrow(
      'it was changed or moved since you chose it. Choose it again.',
    );
  });

  it('makes smaller batches of long values', async () => {
    const lines = Array.from(
      { length: 500 },
      (_, at) => `+4477${String(at).padStart(8, '0')},${'€'.repeat(1_000)},,`,
    );
    const { file, form, rules } = await opened([head, ...lines].join('\n'));
    let count = 0;
    for await (const { recipients } of batchesOf(file, form, rules, noLines)) {
      count += recipients.length;
      expect(Buffer.byteLength(JSON.stringify({ recipients }))).toBeLessThan(1024 * 1024);
    }
    expect(count).toBe(500);
  });

  it('is refused where it is no text, such as the file of a spreadsheet', async () => {
    const file = new Blob(['PK\u0003\u0004\u0014\0\u0006\0', 'xl/workbook.xml']);
    await expect(formOf(file)).rejects.toThrow('save the table as CSV');
  });

  it('keeps whole characters where parts of the file meet', async () => {
    const name = 'é'.repeat(1_000);
    const lines = Array.from(
      { length: 300 },
      (_, at) => `+4477${String(at).padStart(8, '0')},${name},,`,
    );
    const { file, form, rules } = await opened([head, ...lines].join('\n'));
    for await (const { recipients } of batchesOf(file, form, rules, noLines)) {
      expect(new Set(recipients.map(({ variables: { first_name: given } }) => given))).toEqual(
        new Set([name]),
      );
    }
  });
});

describe('the columns of a file', () => {
  it.each([
    [['number', 'name', 'phone'], 2],
    [['id', 'Number', 'WhatsApp'], 2],
    [['user_id', 'Handy'], 1],
    [['number', 'name'], 0],
  ])('have the best name for the recipient, not the first: %j', (columns, index) => {
    expect(plannedColumns(columns, []).recipient).toBe(index);
  });

  it('are found by their names, and asked for where they are not', () => {
    const plan = plannedColumns(['Name', 'Mobile', 'First-Name'], variables);
    expect(plan).toMatchObject({
      recipient: 1,
      reference: null,
      variables: { first_name: 2, link: null },
    });
    expect(planFault(plan, variables)).toBeNull();
    expect(planFault({ ...plan, recipient: null }, variables)).toBe(
      'Choose the column of the recipient.',
    );
    expect(planFault({ ...plan, variables: {} }, variables)).toBe(
      'Choose a column for Body {{1}}.',
    );
  });
});
