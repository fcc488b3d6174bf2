import { afterEach, describe, expect, it } from '@jest/globals';
import { endsOf, timeChoiceOf, timeWords } from './time-range.ts';
import { showTimesIn } from './zone.ts';

const now = new Date(2026, 10, 22, 10, 42, 7);

describe('the time that a list shows', () => {
  afterEach(() => showTimesIn('local'));

  it('moves with the clock, or is fixed', () => {
    expect(endsOf({ range: '1h' }, now)).toEqual({
      from: new Date(2026, 10, 22, 9, 42, 7).toISOString(),
    });
    const fixed = { from: '2026-11-22T01:00:00.000Z', to: '2026-11-22T03:00:00.000Z' };
    expect(endsOf(fixed, now)).toEqual(fixed);
    expect(endsOf({}, now)).toEqual({});
  });

  it('is from midnight to midnight for yesterday, in the zone that is shown', () => {
    expect(endsOf({ range: 'yesterday' }, now)).toEqual({
      from: new Date(2026, 10, 21).toISOString(),
      to: new Date(2026, 10, 22).toISOString(),
    });
    showTimesIn('UTC');
    expect(endsOf({ range: 'yesterday' }, new Date('2026-11-22T00:30:00Z'))).toEqual({
      from: '2026-11-21T00:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
    });
  });

  it('is what the address says, without what is no time', () => {
    expect(timeChoiceOf({ range: '24h', from: '2026-11-22T01:00:00Z' })).toEqual({ range: '24h' });
    expect(timeChoiceOf({ range: 'ever' })).toEqual({});
    expect(timeChoiceOf({ from: 'once', to: '2026-11-22T01:00:00Z' })).toEqual({
      to: '2026-11-22T01:00:00Z',
    });
  });

  it('is said in words', () => {
    showTimesIn('UTC');
    expect(timeWords({ range: '7d' })).toBe('7 days');
    expect(timeWords({ from: '2026-11-22T01:00:00Z', to: '2026-11-22T03:00:00Z' })).toBe(
      '22 Nov 2026, 01:00 – 22 Nov 2026, 03:00',
    );
    expect(timeWords({ to: '2026-11-22T01:00:00Z' })).toBe('until 22 Nov 2026, 01:00');
    expect(timeWords({})).toBeUndefined();
  });
});
