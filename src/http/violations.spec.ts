import { ValidationError } from 'class-validator';
import { violationsToError } from './violations.js';

const violation = (property: string, change: Partial<ValidationError> = {}) =>
  Object.assign(new ValidationError(), {
    property,
    constraints: { isText: 'is wrong' },
    ...change,
  });

const parent = (property: string, ...children: ValidationError[]) =>
  Object.assign(new ValidationError(), { property, children });

const number = (value: unknown) =>
  violation('to', { value, constraints: { isPhoneNumber: 'must be E.164' } });

describe('violations', () => {
  it('become paths: fields by dots, items by brackets', () => {
    const error = violationsToError([
      violation('body'),
      parent(
        'sections',
        parent('0', violation('title'), parent('rows', parent('1', violation('title')))),
        parent('10', violation('rows')),
      ),
      parent('header', parent('image', violation('link'))),
    ]);
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      message: '5 fields are not valid.',
      details: {
        fields: {
          body: 'is wrong',
          'sections[0].title': 'is wrong',
          'sections[0].rows[1].title': 'is wrong',
          'sections[10].rows': 'is wrong',
          'header.image.link': 'is wrong',
        },
      },
    });
  });

  it('name a field whose own rule and whose parts are violated, too', () => {
    const list = Object.assign(parent('rows', parent('0', violation('id'))), {
      constraints: { a: 'too many' },
      value: [{}],
    });
    expect(violationsToError([list]).details?.fields).toEqual({
      rows: 'too many',
      'rows[0].id': 'is wrong',
    });
  });

  it('leave out the parts of what has another shape, or should not be there', () => {
    const parts = [parent('0', violation('id')), violation('id')];
    const wrong = (change: Partial<ValidationError>) =>
      violation('a', { children: parts, ...change });
    for (const value of ['text', null, {}]) {
      expect(violationsToError([wrong({ value })]).details?.fields).toEqual({ a: 'is wrong' });
    }
    const list = wrong({ value: [{}], constraints: { isObjectOf: 'must be an object' } });
    expect(violationsToError([list]).details?.fields).toEqual({ a: 'must be an object' });
  });

  it('of one field are in the message', () => {
    expect(violationsToError([violation('body')]).message).toBe('body: is wrong');
  });

  it('say of unknown fields that they are unknown', () => {
    const unknown = violation('buton', {
      constraints: { whitelistValidation: 'x should not exist' },
    });
    expect(violationsToError([unknown]).details?.fields).toEqual({ buton: 'is not a known field' });
  });

  it.each(['12', '+0', 'x'])(
    'of nothing but a number of the wrong form are INVALID_PHONE_NUMBER: %s',
    (value) => {
      expect(violationsToError([number(value)])).toMatchObject({
        code: 'INVALID_PHONE_NUMBER',
        details: { fields: { to: 'must be E.164' } },
      });
    },
  );

  it.each([undefined, null, '', ' ', 12, {}])(
    'of a number that is not there or no text are VALIDATION_ERROR: %j',
    (value) => {
      expect(violationsToError([number(value)]).code).toBe('VALIDATION_ERROR');
    },
  );

  it('of a number among others are VALIDATION_ERROR', () => {
    const error = violationsToError([number('12'), violation('body')]);
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(Object.keys(error.details?.fields as object)).toEqual(['to', 'body']);
  });
});
