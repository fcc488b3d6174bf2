import { describe, expect, it } from '@jest/globals';
import { filledOtherwise, samples } from './payloads.ts';

const chosen = {
  to: '+12025550147',
  template_name: 'order_confirmation',
  language: 'en_GB',
  reference: 'order-58213',
};

describe('a template that is filled the other way', () => {
  it('stays chosen', () => {
    const payload = { ...chosen, variables: { customer: 'Priya' } };
    expect(filledOtherwise(payload, samples.template)).toEqual(chosen);
    expect(filledOtherwise(chosen, samples.template_send)).toEqual({ ...chosen, variables: {} });
  });

  it('gets back what filled it before, and not what filled another one', () => {
    const before = { ...chosen, variables: { customer: 'Priya' } };
    expect(filledOtherwise(chosen, before)).toEqual(before);
    const other = { ...before, language: 'de' };
    expect(filledOtherwise(chosen, other)).toEqual({ ...chosen, variables: {} });
  });
});
