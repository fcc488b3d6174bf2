import { describe, expect, it } from '@jest/globals';
import type { Template, TemplateMapping, TemplateParameter } from '../../api/types.ts';
import { draftLines, variablesOf } from './mapping-draft.ts';
import { copiedLines, languagePlan } from './mapping-fit.ts';

const place = (change: Partial<TemplateParameter> = {}): TemplateParameter => ({
  component: 'body',
  position: 1,
  parameter_name: null,
  button_index: null,
  kind: 'text',
  required: true,
  example: null,
  ...change,
});

const first = place();
const second = place({ position: 2 });
const link = place({ component: 'button', button_index: 0, kind: 'url_suffix' });
const reply = place({ component: 'button', button_index: 0, kind: 'payload', required: false });

const template = (language: string, ...parameters: TemplateParameter[]) =>
  ({ id: language, language, parameters }) as Template;

const named = (of: Template, ...names: string[]) =>
  draftLines(of, null).map((line, at) => ({ ...line, name: names[at] ?? '' }));

const english = template('en', first, second);

describe('a copied mapping', () => {
  it('has the other’s variables with their defaults, and names the places that do not fit', () => {
    const source = named(template('es', first, second, link), 'name', '', 'path');
    const { lines, misfits } = copiedLines(
      named(english, 'typed', 'kept'),
      source.map((line) => ({ ...line, byDefault: 'x', required: false })),
    );
    expect(lines).toMatchObject([
      { name: 'name', byDefault: 'x', required: false },
      { name: 'kept', byDefault: '', required: true },
    ]);
    expect(misfits).toEqual(['Button 1 URL']);
  });

  it.each([
    ['a button of another kind', link, reply],
    ['another name', place({ parameter_name: 'date' }), place({ parameter_name: 'day' })],
    ['a name where there was a number', place(), place({ parameter_name: 'day' })],
    [
      'a text where there was an image',
      place({ component: 'header', kind: 'image' }),
      place({ component: 'header' }),
    ],
  ])('does not fit %s', (_, from, to) => {
    const source = named(template('es', from), 'name');
    const { lines, misfits } = copiedLines(named(template('en', to)), source);
    expect(lines).toMatchObject([{ name: '' }]);
    expect(misfits).toHaveLength(1);
  });
});

describe('a mapping for all languages', () => {
  const lines = named(english, 'name', 'day');
  const variables = variablesOf(lines);
  const mapping = (language: string, change: Partial<TemplateMapping> = {}) =>
    ({ template_id: language, variables, broken: false, ...change }) as TemplateMapping;

  it('is saved where the places fit', () => {
    const spanish = template('es', first, second);
    expect(languagePlan(lines, [english, spanish], [])).toEqual({
      changed: [
        { template: english, variables },
        { template: spanish, variables },
      ],
      same: [],
      leftOut: [],
    });
  });

  it('leaves out the languages with other places, and says which', () => {
    const short = template('de', first);
    const long = template('fr', first, second, link);
    const other = template('it', first, link);
    const { changed, leftOut } = languagePlan(lines, [short, long, other], []);
    expect(changed).toEqual([]);
    expect(leftOut).toEqual([
      { template: short, reason: 'it has no Body {{2}}' },
      { template: long, reason: 'no variable fills its Button 1 URL' },
      { template: other, reason: 'it has no Body {{2}}; no variable fills its Button 1 URL' },
    ]);
  });

  it('is saved again only where it is another one, or broken', () => {
    const [same, broken, different] = ['es', 'de', 'fr'].map((one) => template(one, first, second));
    if (!same || !broken || !different) throw new Error('there are three');
    const plan = languagePlan(
      lines,
      [same, broken, different],
      [mapping('es'), mapping('de', { broken: true }), mapping('fr', { variables: {} })],
    );
    expect(plan.same).toEqual([same]);
    expect(plan.changed.map((one) => one.template)).toEqual([broken, different]);
  });

  it('is an empty one for a template without places', () => {
    const fixed = template('en');
    expect(languagePlan([], [fixed], []).changed).toEqual([{ template: fixed, variables: {} }]);
    expect(languagePlan([], [fixed], [mapping('en', { variables: {} })]).same).toEqual([fixed]);
  });
});
