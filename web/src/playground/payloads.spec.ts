import { describe, expect, it } from '@jest/globals';
import { filledOtherwise } from './payloads.ts';
import { templateKinds } from './template-kinds.ts';

const chosen = {
  to: '+12025550147',
  template_name: 'order_confirmation',
  language: 'en_GB',
  reference: 'order-58213',
};

describe('a template that is filled the other way', () => {
  it('stays chosen', () => {
    const payload = { ...chosen, variables: { customer: 'Priya' } };
    expect(filledOtherwise(payload, templateKinds.template.sample)).toEqual(chosen);
    expect(filledOtherwise(chosen, templateKinds.template_send.sample)).toEqual({
      ...chosen,
      variables: {},
    });
  });

  it('gets back what filled it before, and not what filled another one', () => {
    const before = { ...chosen, variables: { customer: 'Priya' } };
    expect(filledOtherwise(chosen, before)).toEqual(before);
    const other = { ...before, language: 'de' };
    expect(filledOtherwise(chosen, other)).toEqual({ ...chosen, variables: {} });
  });
});
