import { describe, expect, it } from '@jest/globals';
import { stateReason } from './state-reason.ts';

const active = {
  state: 'active',
  active: true,
  expires_at: null,
  revoked_at: null,
  suspended_at: null,
  suspended_reason: null,
} as const;

const at = '2026-11-20T10:00:00.000Z';

describe('why a key is refused', () => {
  it.each([
    ['active', {}, /^$/],
    ['inactive', { active: false }, /^It was switched off\./],
    ['expired', { expires_at: at }, /^It expired on 20 Nov 2026, .+ a later date\.$/],
    ['revoked', { revoked_at: at }, /^It was revoked on 20 Nov 2026, .+ permanent\.$/],
    [
      'suspended',
      { suspended_at: at, suspended_reason: 'Spam' },
      /^An operator suspended it on 20 Nov 2026, .+: “Spam”\. Only an operator can reinstate it\.$/,
    ],
    ['suspended', { suspended_at: at, active: false }, /It is switched off as well\.$/],
  ] as const)('says of a key that is %s what ends that: %j', (state, change, reason) => {
    expect(stateReason({ ...active, ...change, state }) ?? '').toMatch(reason);
  });
});
