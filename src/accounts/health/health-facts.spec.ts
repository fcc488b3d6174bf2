import { dayMs } from '#libs/durations';
import { PlatformRequestError } from '#libs/whatsapp';
import {
  changesBetween,
  factsOf,
  type HealthFacts,
  limitChange,
  merged,
  troublesOf,
} from './health-facts.js';

const at = new Date('2026-11-26T10:00:00.000Z');
const inDays = (days: number) => new Date(at.getTime() + days * dayMs);

const facts = (change: Partial<HealthFacts> = {}): HealthFacts => ({
  quality: 'GREEN',
  messagingLimit: 'TIER_2K',
  nameStatus: 'APPROVED',
  verifiedName: 'Fernhill Express',
  tokenValid: true,
  tokenExpiresAt: null,
  ...change,
});

describe('the health of a number', () => {
  it('is nothing while WhatsApp answers neither question', () => {
    const error = new PlatformRequestError('reset', 'the connection broke');
    expect(factsOf({ ok: false, error }, { ok: false, error })).toBeNull();
  });

  it('knows of a token that is refused that it is not valid', () => {
    const error = new PlatformRequestError('refused', 'expired', {
      error: {
        code: 190,
        message: 'Expired',
        type: null,
        subcode: null,
        details: null,
        isTransient: null,
        fbtraceId: null,
      },
    });
    expect(factsOf({ ok: false, error }, { ok: false, error })).toMatchObject({
      quality: null,
      tokenValid: false,
    });
  });

  it('keeps what WhatsApp does not say again', () => {
    const read = facts({ quality: null, tokenValid: null, nameStatus: 'DECLINED' });
    const before = facts({ tokenExpiresAt: inDays(3) });
    expect(merged(before, read)).toEqual({ ...before, nameStatus: 'DECLINED' });
  });

  it('has a history from the first word on, and only of what changes', () => {
    expect(changesBetween(null, facts({ verifiedName: null }))).toEqual([
      { field: 'quality', before: null, after: 'GREEN' },
      { field: 'messaging_limit', before: null, after: 'TIER_2K' },
      { field: 'name_status', before: null, after: 'APPROVED' },
      { field: 'token', before: null, after: 'never' },
    ]);
    expect(changesBetween(facts(), facts())).toEqual([]);
    const later = facts({ quality: 'YELLOW', tokenExpiresAt: inDays(60) });
    expect(changesBetween(facts(), later)).toEqual([
      { field: 'quality', before: 'GREEN', after: 'YELLOW' },
      { field: 'token', before: 'never', after: '2027-01-25T10:00:00.000Z' },
    ]);
    expect(changesBetween(facts(), facts({ tokenValid: false }))).toEqual([
      { field: 'token', before: 'never', after: 'invalid' },
    ]);
  });

  it.each([
    ['TIER_2K', '2000', false],
    ['-1', 'TIER_UNLIMITED', false],
    ['TIER_2K', 'TIER_10K', true],
    ['SOMETHING', 'ELSE', true],
    ['ELSE', 'ELSE', false],
    [null, '250', true],
  ])('compares the limits %s and %s by what they mean', (before, after, isChange) => {
    expect(limitChange(before, after).length > 0).toBe(isChange);
  });

  it.each([
    ['nothing known', null, []],
    ['all is well', facts(), []],
    ['a low quality', facts({ quality: 'RED' }), ['number_quality']],
    ['a middling quality', facts({ quality: 'YELLOW' }), []],
    ['an end in 15 days', facts({ tokenExpiresAt: inDays(15) }), []],
    ['an end in 14 days', facts({ tokenExpiresAt: inDays(14) }), ['token_expiring']],
    ['an end that is over', facts({ tokenExpiresAt: inDays(-1) }), ['token_expiring']],
    ['a token that is refused', facts({ tokenValid: false }), ['token_refused']],
  ])('needs attention: %s', (_name, known, kinds) => {
    expect(troublesOf(known, at).map(({ kind }) => kind)).toEqual(kinds);
  });
});
