import { describe, expect, it } from '@jest/globals';
import type { ChecklistItem } from '../../api/types.ts';
import { hiddenSecret, isNotLive, titleOf } from './row-words.ts';

const row = (state: ChecklistItem['state']) => ({ state });

describe('a row of the checklist', () => {
  it.each([
    ['done', 'App subscribed to the business account'],
    ['missing', 'App not subscribed to the business account'],
    ['failed', 'Business account not found'],
    ['unknown', 'Subscription of the app not checked'],
  ] as const)('has a title for its state: %s', (state, title) => {
    expect(titleOf({ id: 'subscription', state })).toBe(title);
  });
});

describe('an account', () => {
  it.each(['missing', 'failed'] as const)('is not live yet while something is %s', (state) => {
    expect(isNotLive([row('done'), row(state)])).toBe(true);
  });

  it('may be live where WhatsApp does not say', () => {
    expect(isNotLive([row('done'), row('unknown')])).toBe(false);
  });
});

describe('a hidden secret', () => {
  it('shows its last four characters, by which you recognize it', () => {
    expect(hiddenSecret('a-long-verify-token')).toBe('••••••••••••oken');
  });

  it('shows nothing of a short one', () => {
    expect(hiddenSecret('eleven-char')).toBe('••••••••••••');
  });
});
