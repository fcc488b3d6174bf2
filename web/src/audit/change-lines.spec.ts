import { describe, expect, it } from '@jest/globals';
import { changeLines } from './change-lines.ts';

describe('what an entry of the audit log changed', () => {
  it.each([
    ['a number', { daily_limit: { from: 300, to: 600 } }, 'Daily limit 300 → 600'],
    ['a switch', { active: { from: true, to: false } }, 'Active yes → no'],
    ['something new', { description: { from: null, to: 'Shop' } }, 'Description none → Shop'],
    ['a list', { allowed_ips: { from: [], to: ['10.0.0.1'] } }, 'Allowed ips changed'],
    ['a secret', { access_token: 'changed' }, 'Access token changed'],
  ])('is a line for %s', (_, details, line) => {
    expect(changeLines({ details })).toEqual([line]);
  });

  it('is a line for each changed part of an object', () => {
    const from = { keys: 100, endpoints: 100, daily_limit: null };
    const to = { keys: 200, endpoints: 100, daily_limit: 5_000 };
    expect(changeLines({ details: { limits: { from, to } } })).toEqual([
      'Limits: keys 100 → 200',
      'Limits: daily limit none → 5000',
    ]);
  });

  it('has no line for details that are not changes', () => {
    expect(changeLines({ details: { overlap_seconds: 0, shown: ['key'] } })).toEqual([]);
  });
});
