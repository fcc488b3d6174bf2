import { describe, expect, it } from '@jest/globals';
import type { ApiKey } from '../api/types.ts';
import { usableKey } from './usable-key.ts';

const live = { name: 'live', state: 'active', mode: 'live' } as ApiKey;
const test = { name: 'test', state: 'active', mode: 'test' } as ApiKey;
const revoked = { name: 'revoked', state: 'revoked', mode: 'test' } as ApiKey;

describe('the key of the first steps', () => {
  it('is any active one for those who change things, and a test key for viewers', () => {
    expect(usableKey([revoked, live, test], true)).toBe(live);
    expect(usableKey([revoked, live, test], false)).toBe(test);
    expect(usableKey([revoked, live], false)).toBeUndefined();
  });
});
