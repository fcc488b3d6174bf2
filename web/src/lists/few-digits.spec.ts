import { expect, it } from '@jest/globals';
import { fewDigits } from './few-digits.ts';

it('one to three digits are too few for the end of a number', () => {
  const advice = 'Type at least the last four digits of a number';
  expect(['7', '026', '+44', '1-2', '(555)'].map(fewDigits)).toEqual(Array(5).fill(advice));
  expect(['1026', 'a12', 'order-1', '', undefined].map(fewDigits)).toEqual(
    Array(5).fill(undefined),
  );
});
