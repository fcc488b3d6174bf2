import { describe, expect, it } from '@jest/globals';
import type { ApiKey, TemplateAnswer } from '../api/types.ts';
import { playgroundSearch } from './playground-link.ts';

const key = (id: string, more: object = {}) =>
  ({
    id,
    account_id: 'a',
    mode: 'live',
    state: 'active',
    permissions: ['send_template'],
    ...more,
  }) as unknown as ApiKey;

const mapping = (id: string, broken = false) =>
  ({ api_key_id: id, broken }) as TemplateAnswer['mappings'][number];

const template = {
  account_id: 'a',
  mode: 'live',
  status: 'APPROVED',
  name: 'order_update',
  language: 'en',
} as const;

const known = { template, mappings: [], keys: [], chosen: undefined, mayChange: true };
const named = { template: 'order_update', language: 'en' };

describe('the way from a template to the playground', () => {
  it('has the chosen key if it has a mapping, else one that has', () => {
    const keys = [key('1'), key('2'), key('3', { permissions: [] }), key('4')];
    const mappings = [mapping('1', true), mapping('2'), mapping('3'), mapping('4')];
    const keyOf = (chosen: string) => playgroundSearch({ ...known, keys, mappings, chosen })?.key;
    expect(keyOf('4')).toBe('4');
    expect(keyOf('1')).toBe('2');
    expect(playgroundSearch({ ...known, keys, mappings })).toEqual({
      ...named,
      type: 'template_send',
      key: '2',
    });
  });

  it('fills WhatsApp’s components where no key has a mapping that fits', () => {
    expect(
      playgroundSearch({ ...known, keys: [key('1')], mappings: [mapping('1', true)] }),
    ).toEqual({ ...named, type: 'template', key: '1' });
  });

  it('is none without a key that sends it, for a template that is not approved, and live for a viewer', () => {
    const keys = [key('1'), key('2', { mode: 'test' })];
    expect(playgroundSearch({ ...known, keys: [key('1', { state: 'suspended' })] })).toBeNull();
    expect(playgroundSearch({ ...known, keys, mayChange: false })).toBeNull();
    const paused = { ...template, status: 'PAUSED' } as const;
    expect(playgroundSearch({ ...known, keys, template: paused })).toBeNull();
    const test = { ...template, mode: 'test' } as const;
    expect(playgroundSearch({ ...known, keys, template: test, mayChange: false })?.key).toBe('2');
  });
});
