import { describe, expect, it } from '@jest/globals';
import { type ConsentReading, readConsentFile, withDefaults } from './consent-csv.ts';

const read = (text: string, how: ConsentReading = {}) => readConsentFile(new Blob([text]), how);
const itemsOf = async (text: string, how: ConsentReading = {}) =>
  (await read(text, how)).rows.map(({ item }) => item);

describe('a file of consents', () => {
  it('is read by the names of its columns, in any order and case', async () => {
    const { rows, has, ignored, fault } = await read(
      'State,Phone Number,Note,EVIDENCE\r\nopted_out,+44 7700 900-142,x,"a, ""b"""\r\n\r\n',
    );
    expect({ rows, has, ignored, fault }).toEqual({
      rows: [{ line: 2, item: { phone: '+447700900142', state: 'opted_out', evidence: 'a, "b"' } }],
      has: ['state'],
      ignored: ['note'],
      fault: null,
    });
  });

  it('takes the numbers that a file of recipients takes', async () => {
    const given = ['+44 (0)7700 900118', '00491701234567', '+5511987654321.0', 'US.1349'];
    expect(await itemsOf(`phone\n${given.join('\n')}\n`)).toEqual([
      { phone: '+447700900118' },
      { phone: '+491701234567' },
      { phone: '+5511987654321' },
      { user_id: 'US.1349' },
    ]);
  });

  it.each([
    ['4155550123', 'phone: No country code: a number starts with + or 00'],
    ['nobody', 'phone: “n” is not a digit'],
    ['5.5E+12', 'phone: The spreadsheet has cut this number'],
    ['#N/A', 'phone: “#N/A” is an error of the spreadsheet'],
  ])('names the line of the number %s', async (given, what) => {
    const { rows, problems } = await read(`phone\n${given}\n+447700900142\n`);
    expect(problems).toEqual([{ line: 2, what: expect.stringContaining(what) }]);
    expect(rows).toMatchObject([{ line: 3 }]);
  });

  it('takes numbers without + where somebody says that they have their country code', async () => {
    expect(await itemsOf('phone\n447700900142\n', { hasBareCodes: true })).toEqual([
      { phone: '+447700900142' },
    ]);
  });

  it('reads an export back', async () => {
    const items = await itemsOf(
      "phone,user_id,scope,state,source,evidence,said_at\r\n,US.1,all,opted_in,'=cmd(),'-,2026-11-25T00:00:00Z\r\n",
    );
    expect(items).toEqual([
      { user_id: 'US.1', scope: 'all', state: 'opted_in', source: '=cmd()', evidence: '-' },
    ]);
  });

  it('fills what a plain list of numbers does not say', async () => {
    const { rows } = await read('phone;state\n+447700900142;opted_in\n+447700900143;\n');
    expect(withDefaults(rows, { scope: 'marketing', state: 'opted_out' })).toEqual([
      { phone: '+447700900142', scope: 'marketing', state: 'opted_in' },
      { phone: '+447700900143', scope: 'marketing', state: 'opted_out' },
    ]);
  });

  it.each([
    ['', 'names no column'],
    ['name\nMia\n', 'names no column'],
    ['phone\n\n', 'There is no row'],
    ['PK\u0003\u0004\0\u0006', 'save the table as CSV'],
  ])('says why nothing can be imported: %j', async (text, fault) => {
    expect((await read(text)).fault).toContain(fault);
  });
});
