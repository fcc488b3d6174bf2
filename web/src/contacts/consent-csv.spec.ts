import { describe, expect, it } from '@jest/globals';
import { readConsentFile, withDefaults } from './consent-csv.ts';

describe('a file of consents', () => {
  it('is read by the names of its columns, in any order and case', () => {
    const file = readConsentFile(
      'State,Phone Number,Note,EVIDENCE\r\nopted_out,+44 7700 900-142,x,"a, ""b"""\r\n\r\n',
    );
    expect(file).toEqual({
      items: [{ phone: '+447700900142', state: 'opted_out', evidence: 'a, "b"' }],
      has: ['state'],
      ignored: ['note'],
      fault: null,
    });
  });

  it.each([
    ['+49 (170) 123.45-67', '+491701234567'],
    ['00491701234567', '+491701234567'],
    ['491701234567', '+491701234567'],
    ['0170 1234567', '01701234567'],
    ['nobody', 'nobody'],
  ])('takes the number %s as %s', (given, taken) => {
    expect(readConsentFile(`phone\n${given}`).items).toEqual([{ phone: taken }]);
  });

  it('reads an export back', () => {
    const file = readConsentFile(
      "phone,user_id,scope,state,source,evidence,said_at\r\n,US.1,all,opted_in,'=cmd(),'-,2026-11-25T00:00:00Z\r\n",
    );
    expect(file.items).toEqual([
      { user_id: 'US.1', scope: 'all', state: 'opted_in', source: '=cmd()', evidence: '-' },
    ]);
  });

  it('fills what a plain list of numbers does not say', () => {
    const { items } = readConsentFile('phone;state\n+447700900142;opted_in\n+447700900143;\n');
    expect(withDefaults(items, { scope: 'marketing', state: 'opted_out' })).toEqual([
      { phone: '+447700900142', scope: 'marketing', state: 'opted_in' },
      { phone: '+447700900143', scope: 'marketing', state: 'opted_out' },
    ]);
  });

  it.each([
    ['', 'names no column'],
    ['name\nMia\n', 'names no column'],
    ['phone\n\n', 'There is no row'],
  ])('says why nothing can be imported: %j', (text, fault) => {
    expect(readConsentFile(text).fault).toContain(fault);
  });
});
