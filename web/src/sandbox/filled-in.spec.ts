import { describe, expect, it } from '@jest/globals';
import { degreesIn, flowAnswer, given } from './filled-in.ts';

describe('the answer of a flow', () => {
  it('has a value by each name, and leaves out rows without a name', () => {
    const rows = [
      { name: ' guests ', value: '2' },
      { name: 'note', value: '' },
      { name: ' ', value: 'lost' },
    ];
    expect(flowAnswer(rows)).toEqual({ guests: '2', note: '' });
  });

  it('has a list of values by a name that is there twice', () => {
    const rows = ['olives', 'bread'].map((value) => ({ name: 'extras', value }));
    expect(flowAnswer(rows)).toEqual({ extras: ['olives', 'bread'] });
  });

  it('takes any name', () => {
    const answer = flowAnswer([{ name: '__proto__', value: 'x' }]);
    expect(JSON.stringify(answer)).toBe('{"__proto__":"x"}');
  });
});

describe('degrees', () => {
  it.each([
    ['51.5072', 51.5072],
    [' -90 ', -90],
    ['0', 0],
    ['90.1', null],
    ['', null],
    [' ', null],
    ['north', null],
    ['Infinity', null],
  ])('in “%s”: %s', (text, degrees) => {
    expect(degreesIn(text, { minimum: -90, maximum: 90 })).toBe(degrees);
  });
});

describe('what was written', () => {
  it('is left out when it is nothing', () => {
    expect([given('name', ' Pier '), given('name', ' ')]).toEqual([{ name: 'Pier' }, {}]);
  });
});
