import { lines, plainArray, textArray } from './array-literals.js';

describe('arrays for PostgreSQL', () => {
  it.each<[unknown, string]>([
    [[], '{}'],
    [[null], '{NULL}'],
    [['live', null, 12.5, true], '{live,NULL,12.5,true}'],
  ])('of plain values: %j', (values, literal) => {
    expect(plainArray(values as string[])).toBe(literal);
  });

  it.each<[(string | null)[], string]>([
    [[], '{}'],
    [[null, ''], '{NULL,""}'],
    [['NULL', '{a,b}', 'a b'], '{"NULL","{a,b}","a b"}'],
    [['"', '\\', '\\"'], '{"\\"","\\\\","\\\\\\""}'],
  ])('of texts: %j', (values, literal) => {
    expect(textArray(values)).toBe(literal);
  });

  it('as lines', () => {
    expect(lines(['{"a":1}', null, '{}'])).toBe('{"a":1}\n\n{}');
  });
});
