import { describe, expect, it } from '@jest/globals';
import { changeLines, detailsOf } from './change-lines.ts';

describe('what an entry of the audit log changed', () => {
  it.each([
    ['a number', { daily_limit: { from: 300, to: 600 } }, 'Daily limit 300 → 600'],
    ['a switch', { active: { from: true, to: false } }, 'Active yes → no'],
    ['something new', { description: { from: null, to: 'Shop' } }, 'Description none → Shop'],
    ['a list', { allowed_ips: { from: [], to: ['10.0.0.1'] } }, 'Allowed IPs changed'],
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

  it('is all its values in words', () => {
    const details = {
      overlap_seconds: 0,
      ended: ['key', 'webhook'],
      api_key_id: 'k-1',
      active: { from: true, to: false },
      allowed_ips: { from: [], to: ['10.0.0.1', '10.0.0.2'] },
      limits: { from: { keys: 100, ips: 3 }, to: { keys: 200, ips: 3 } },
      filter: { status: 'failed', key_id: null },
    };
    expect(detailsOf({ details }).map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'Overlap seconds: 0',
      'Ended: key, webhook',
      'API key id: k-1',
      'Active: yes → no',
      'Allowed IPs: none → 10.0.0.1, 10.0.0.2',
      'Limits: keys: 100 → 200',
      'Filter: status failed, key id none',
    ]);
  });

  it('has times in the zone of the reader', () => {
    const details = { expires_at: { from: null, to: '2026-11-28T19:19:00.000Z' } };
    expect(changeLines({ details })[0]).toMatch(/^Expires at none → \d\d? Nov 2026, \d\d:19$/);
  });

  it('has no line for details that are not changes', () => {
    expect(changeLines({ details: { overlap_seconds: 0, shown: ['key'] } })).toEqual([]);
  });
});
