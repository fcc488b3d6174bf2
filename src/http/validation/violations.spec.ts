import { IsOptional } from 'class-validator';
import { refusalOf } from '../../../test/support/refusals.js';
import { IsPhoneNumber, IsText } from './rules.js';
import { Violations } from './violations.js';

class Message {
  @IsPhoneNumber()
  to: string;

  @IsOptional()
  @IsText(5)
  body?: string | null;
}

const refused = (body: object) => refusalOf(Message, body);

describe('violations', () => {
  it('of one field are in the message, of several only counted', () => {
    const violations = new Violations();
    violations.addFault('body', 'is wrong');
    expect(violations.toError(null)).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      message: 'body: is wrong',
    });
    violations.addUnknown('more');
    expect(violations.toError(null)).toMatchObject({
      message: '2 fields are not valid.',
      details: { fields: { body: 'is wrong', more: 'is not a known field' } },
    });
  });

  it('beyond what an answer names are counted', () => {
    const violations = new Violations();
    for (let index = 0; index < 70; index += 1) violations.addFault(`a${index}`, 'is wrong');
    expect(violations.count).toBe(70);
    expect(violations.toError(null).message).toBe('50 fields are not valid, and 20 more.');
  });

  it.each(['12', '+0', 'x'])(
    'of nothing but a number of the wrong form are INVALID_PHONE_NUMBER: %s',
    (to) => {
      expect(refused({ to })).toMatchObject({
        code: 'INVALID_PHONE_NUMBER',
        fields: { to: expect.any(String) },
      });
    },
  );

  it.each([undefined, null, '', ' ', 12, {}])(
    'of a number that is not there or no text are VALIDATION_ERROR: %j',
    (to) => {
      expect(refused({ to })?.code).toBe('VALIDATION_ERROR');
    },
  );

  it('of a number among others are VALIDATION_ERROR', () => {
    for (const change of [{ body: '' }, { more: 1 }, { body: 'a\0' }]) {
      const error = refused({ to: '12', ...change });
      expect(error?.code).toBe('VALIDATION_ERROR');
      expect(Object.keys(error?.fields ?? {})).toEqual(['to', Object.keys(change)[0]]);
    }
  });
});
