import { describe, expect, it } from '@jest/globals';
import { dayMs } from '../../../../libs/durations/index.ts';
import { changeText, limitText, tokenEndsSoon } from './health-words.ts';

const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

describe('the health of a number in words', () => {
  it.each([
    ['quality', null, 'GREEN', 'Quality first reported: Green'],
    ['quality', 'GREEN', 'RED', 'Quality Green → Red'],
    ['quality_event', null, 'FLAGGED', 'WhatsApp reported: Flagged'],
    ['messaging_limit', null, 'TIER_UNLIMITED', 'Limit first reported: No limit'],
    ['messaging_limit', 'TIER_250', 'TIER_2K', 'Limit 250 → 2,000 people in 24 hours'],
    ['messaging_limit', '-1', 'TIER_2K', 'Limit none → 2,000 people in 24 hours'],
    ['name_status', null, 'APPROVED', 'Name review: Approved'],
    ['name_status', 'APPROVED', 'PENDING_REVIEW', 'Name review Approved → In review'],
    ['verified_name', null, 'Fernhill', 'Name “Fernhill”'],
    ['verified_name', 'Fern', 'Hill', 'Name “Fern” → “Hill”'],
    ['token', null, 'never', 'Token accepted, without an end'],
    ['token', 'never', 'invalid', 'Token refused'],
    ['token', 'never', '2027-01-25T10:00:00.000Z', /^Token accepted, ends 25 Jan 2027/],
    ['new_field', 'A', 'B', 'New field: B'],
  ])('says of %s from %s to %s: %s', (field, before, after, text) => {
    expect(changeText({ id: 'id', at: inDays(0), field, before, after })).toMatch(text);
  });

  it.each([
    ['-1', 'No limit'],
    ['TIER_10K', '10,000 people in 24 hours'],
  ])('reads the limit %s: %s', (limit, text) => {
    expect(limitText(limit)).toBe(text);
  });

  it('has the end of a token only where it is soon', () => {
    const health = {
      read_at: inDays(0),
      quality: null,
      messaging_limit: null,
      name_status: null,
      verified_name: null,
      token_valid: true,
      token_expires_at: inDays(13),
    };
    expect(tokenEndsSoon({ health })).toBe(health.token_expires_at);
    expect(tokenEndsSoon({ health: { ...health, token_expires_at: inDays(15) } })).toBeNull();
    expect(tokenEndsSoon({ health: { ...health, token_expires_at: null } })).toBeNull();
    expect(tokenEndsSoon({ health: { ...health, token_valid: false } })).toBeNull();
    expect(tokenEndsSoon({ health: null })).toBeNull();
  });
});
