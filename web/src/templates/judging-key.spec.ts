import { describe, expect, it } from '@jest/globals';
import type { ApiKey, Template } from '../api/types.ts';
import { judgingKey, keysFor } from './judging-key.ts';

const template = (accountId: string, mode: Template['mode']) =>
  ({ account_id: accountId, mode }) as Template;

const key = (id: string, change: Partial<ApiKey> = {}) =>
  ({
    id,
    account_id: 'a',
    mode: 'live',
    state: 'active',
    permissions: ['send_template'],
    ...change,
  }) as ApiKey;

const staging = key('staging', { mode: 'test' });
const revoked = key('revoked', { state: 'revoked' });
const reader = key('reader', { permissions: ['view_messages'] });
const elsewhere = key('elsewhere', { account_id: 'b' });
const demo = key('demo');
const other = key('other');
const keys = [staging, revoked, reader, elsewhere, demo, other];

describe('the key by which a template is judged', () => {
  it.each([
    // chosen, account, mode, judged by
    ['other', 'a', 'live', 'other'],
    ['reader', 'a', 'live', 'reader'],
    // A key cannot send what is not of its account and mode, so its mappings say nothing there.
    ['staging', 'a', 'live', 'demo'],
    ['elsewhere', 'a', 'live', 'demo'],
    ['other', 'a', 'test', 'staging'],
    ['other', 'b', 'live', 'elsewhere'],
    ['revoked', 'a', 'live', 'demo'],
    ['gone', 'a', 'live', 'demo'],
    [undefined, 'a', 'live', 'demo'],
    [undefined, 'c', 'live', undefined],
  ] as const)('%s is chosen, of account %s, %s: %s', (chosen, accountId, mode, expected) => {
    expect(judgingKey(template(accountId, mode), keys, chosen)?.id).toBe(expected);
  });

  it('is one that has mapped it, where none is chosen', () => {
    const live = template('a', 'live');
    expect(judgingKey(live, keys, undefined, ['other', 'reader'])?.id).toBe('other');
    expect(judgingKey(live, keys, undefined, ['reader', 'staging'])?.id).toBe('demo');
    expect(judgingKey(live, keys, 'demo', ['other'])?.id).toBe('demo');
  });

  it('is one that cannot send templates where there is no better', () => {
    expect(judgingKey(template('a', 'live'), [reader], undefined)?.id).toBe('reader');
  });

  it('is one of those that the detail offers', () => {
    expect(keysFor(template('a', 'live'), keys).map(({ id }) => id)).toEqual([
      'reader',
      'demo',
      'other',
    ]);
  });
});
