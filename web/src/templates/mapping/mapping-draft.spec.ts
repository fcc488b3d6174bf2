import { describe, expect, it } from '@jest/globals';
import type {
  MappedVariable,
  Template,
  TemplateMapping,
  TemplateParameter,
} from '../../api/types.ts';
import { draftLines, lineFault, placeName, shownValue, variablesOf } from './mapping-draft.ts';

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
const second = place({ position: 2, example: 'Friday' });
const link = place({ component: 'button', button_index: 1, kind: 'url_suffix' });

const template = { parameters: [first, second, link] } as Template;
const mapping = (variables: Record<string, MappedVariable>) =>
  ({ variables }) as unknown as TemplateMapping;

const named = {
  name: { component: 'body', position: 1, required: true },
  day: { component: 'body', position: 2, required: false, default: 'Monday' },
  path: { component: 'button', button_index: 1, required: true },
} as const;

describe('the lines of a mapping', () => {
  it('name every place of the template, with what the mapping says of it', () => {
    expect(
      draftLines(template, mapping(named)).map(({ name, byDefault, required }) => [
        name,
        byDefault,
        required,
      ]),
    ).toEqual([
      ['name', '', true],
      ['day', 'Monday', false],
      ['path', '', true],
    ]);
  });

  it('make the same mapping again, with each place in full', () => {
    expect(variablesOf(draftLines(template, mapping(named)))).toEqual({
      ...named,
      path: { ...named.path, position: 1 },
    });
  });

  it('are empty without a mapping, and make none', () => {
    const lines = draftLines(template, null);
    expect(lines.map(({ name }) => name)).toEqual(['', '', '']);
    expect(variablesOf(lines)).toEqual({});
  });

  it('find a named parameter by its name', () => {
    const date = place({ parameter_name: 'date' });
    const [line] = draftLines(
      { parameters: [date] } as Template,
      mapping({ when: { component: 'body', parameter_name: 'date', required: true } }),
    );
    expect(line?.name).toBe('when');
    expect(placeName(date)).toBe('Body {{date}}');
  });

  it.each([
    ['a place that WhatsApp wants filled', { name: '' }, 'Name it'],
    ['a name that another place has', { name: 'day' }, 'This name is already in use'],
    ['a name that is too long', { name: 'é'.repeat(101) }, 'At most 100 characters; this has 101'],
    [
      'a place that would be empty now and then',
      { name: 'a', required: false },
      'Cannot be empty: require it, or set a default',
    ],
    ['a name with spaces around it, which are cut', { name: ' a ' }, null],
  ])('report %s', (_, change, fault) => {
    const [line, ...others] = draftLines(template, mapping(named));
    if (!line) throw new Error('the template has places');
    const changed = { ...line, ...change };
    expect(lineFault(changed, [changed, ...others])).toBe(fault);
  });

  it('leave alone a place that may stay empty, unless it has a default and no name', () => {
    const [line] = draftLines({ parameters: [place({ required: false })] } as Template, null);
    if (!line) throw new Error('the template has places');
    expect(lineFault(line, [line])).toBeNull();
    const changed = { ...line, byDefault: 'x' };
    expect(lineFault(changed, [changed])).toBe('Name it, or remove the default');
  });

  it('show the default, then the example, then the name; and nothing while there is no name', () => {
    const [name, day, path] = draftLines(template, mapping(named));
    if (!name || !day || !path) throw new Error('the template has places');
    expect(shownValue(name)).toBe('name');
    expect(shownValue(day)).toBe('Monday');
    expect(shownValue({ ...day, byDefault: '' })).toBe('Friday');
    expect(shownValue({ ...day, name: '' })).toBe('');
    expect(placeName(path.parameter)).toBe('Button 2 URL');
  });
});
