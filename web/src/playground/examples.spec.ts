import { describe, expect, it } from '@jest/globals';
import type { MappedVariable, Template } from '../api/types.ts';
import { missingExamples, variableExamples } from './examples.ts';
import { placeText } from './place-text.ts';

const place = (component: string, kind: string, example: string | null, more: object = {}) => ({
  component,
  kind,
  example,
  position: 1,
  parameter_name: null,
  button_index: component === 'button' ? 0 : null,
  required: true,
  ...more,
});

const template = {
  parameters: [
    place('header', 'image', '4::aW1hZ2U='),
    place('body', 'text', 'Maria'),
    place('body', 'text', '58213', { position: 2 }),
    place('button', 'coupon_code', 'SPRING'),
    place('button', 'url_suffix', 'track/1', { button_index: 1 }),
  ],
} as unknown as Template;

const required = true;

const variables: Record<string, MappedVariable> = {
  photo: { component: 'header', position: 1, required },
  name: { component: 'body', position: 1, default: 'you', required },
  order: { component: 'body', position: 2, required },
  coupon: { component: 'button', button_index: 0, required },
  address: { component: 'button', button_index: 1, required },
};

describe('the examples of a template in the playground', () => {
  it('are those of the places that the variables fill, without ids of files', () => {
    expect(variableExamples(variables, template)).toEqual({
      photo: '',
      name: 'Maria',
      order: '58213',
      coupon: 'SPRING',
      address: 'track/1',
    });
  });

  it('fill what has neither a value nor a default', () => {
    expect(missingExamples(variables, template, { coupon: 'MINE', order: '' })).toEqual({
      order: '58213',
      address: 'track/1',
    });
  });
});

describe('what a variable fills', () => {
  it.each([
    ['photo', 'Fills the image of the header.'],
    ['order', 'Fills {{2}} of the body.'],
    ['coupon', 'Fills the code of button 1.'],
    ['address', 'Fills the end of the URL of button 2.'],
  ])('is said of %s', (name, text) => {
    const variable = variables[name] as MappedVariable;
    expect(placeText(variable, template)).toBe(text);
  });

  it('is said by its name where it has one', () => {
    const variable = { component: 'body', parameter_name: 'first_name', required } as const;
    expect(placeText(variable, undefined)).toBe('Fills {{first_name}} of the body.');
  });
});
