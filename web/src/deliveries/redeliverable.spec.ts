import { describe, expect, it } from '@jest/globals';
import type { Delivery } from '../api/types.ts';
import { hasWaiting, leftOutWords, redeliverable } from './redeliverable.ts';

const row = (status: Delivery['status'], url: string | null = 'https://a.example') => ({
  status,
  url,
});

describe('the chosen deliveries', () => {
  it.each(['pending', 'retrying', 'succeeded', 'failed'] as const)(
    'are redelivered if they are %s',
    (status) => {
      expect(redeliverable([row(status)])).toEqual([row(status)]);
      expect(leftOutWords([row(status)])).toBeNull();
    },
  );

  it('are left out without an address, and it says so', () => {
    const chosen = [row('failed'), row('failed', null)];
    expect(redeliverable(chosen)).toEqual([row('failed')]);
    expect(leftOutWords(chosen)).toBe('1 without a webhook now');
  });

  it('may wait for another try', () => {
    expect(hasWaiting([row('failed'), row('retrying')])).toBe(true);
    expect(hasWaiting([row('failed'), row('succeeded')])).toBe(false);
  });
});
