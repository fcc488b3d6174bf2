import { describe, expect, it } from '@jest/globals';
import type { Template } from '../api/types.ts';
import { leadOf, named, shownBeside, templateGroups } from './template-groups.ts';

const template = (id: string, change: Partial<Template> = {}) =>
  ({ id, account_id: 'a', name: 'visit', language: 'en', mode: 'live', ...change }) as Template;

const live = template('live');
const test = template('test', { mode: 'test' });
const spanish = template('spanish', { language: 'es' });
const order = template('order', { name: 'order' });
const elsewhere = template('elsewhere', { account_id: 'b' });

const shown = (matches: readonly Template[], all: readonly Template[]) =>
  templateGroups(matches, all).map(({ name, members }) => [
    name,
    members.map(({ template: { id }, isMatch }) => (isMatch ? id : `(${id})`)).join(' '),
  ]);

describe('the groups of templates', () => {
  it('are one for each name, by language, live before test', () => {
    const all = [order, test, live, spanish];
    expect(shown(all, all)).toEqual([
      ['order', 'order'],
      ['visit', 'live test spanish'],
    ]);
  });

  it('are shown for one match, with the rest of the name', () => {
    expect(shown([spanish], [order, live, spanish])).toEqual([['visit', '(live) spanish']]);
  });

  it('keep accounts apart', () => {
    expect(shown([live, elsewhere], [])).toEqual([
      ['visit', 'live'],
      ['visit', 'elsewhere'],
    ]);
  });

  it('are none without a match', () => {
    expect(shown([], [live])).toEqual([]);
  });

  it.each([
    ['the chosen one', 'spanish', 'test', 'spanish'],
    ['one of the key’s mode', 'order', 'test', 'test'],
    ['the first without a key', undefined, undefined, 'live'],
  ] as const)('open with %s', (_, chosen, mode, lead) => {
    const [group] = templateGroups([live, test], [live, test, spanish]);
    expect(group && leadOf(group, chosen, mode)?.id).toBe(lead);
  });

  it('open with a match', () => {
    const [group] = templateGroups([spanish], [live, spanish]);
    expect(group && leadOf(group, undefined, 'live')?.id).toBe('spanish');
  });
});

describe('what stands beside the list', () => {
  const all = [live, order];
  const beside = (text: string, chosen?: string, known: readonly Template[] = all) =>
    shownBeside({
      chosen,
      groups: templateGroups(named(all, text), known),
      all: known,
      isNarrowed: text !== '',
      mode: 'live',
    });

  it('is the chosen one while the list has it', () => {
    expect(beside('', 'live')).toBe('live');
    expect(beside('VIS', 'live')).toBe('live');
  });

  it('is the first match if the search leaves out the chosen one, or none was chosen', () => {
    expect(beside('ord', 'live')).toBe('order');
    expect(beside('vis')).toBe('live');
  });

  it('is nothing if nothing matches', () => {
    expect(beside('nothing', 'live')).toBeUndefined();
    expect(beside('nothing')).toBeUndefined();
  });

  it('is one by its address that the list has not read', () => {
    expect(beside('ord', 'elsewhere')).toBe('elsewhere');
    expect(beside('', 'elsewhere', [...all, elsewhere])).toBe('elsewhere');
  });
});
