import { type CampaignFacts, troubleOf } from './campaign-troubles.js';

const fine: CampaignFacts = {
  isLive: true,
  mayKeySend: true,
  isAccountActive: true,
  isTemplateApproved: true,
  isTemplateChanged: false,
  isTemplateRed: false,
  holdKind: null,
  holdCode: null,
  qualityEvent: null,
  isRestricted: false,
  failedShare: null,
  failureRate: 0.1,
  usedToday: 0,
  dailyLimit: 1_000,
};

describe('why a campaign may not go on', () => {
  it.each<[string, Partial<CampaignFacts>, ReturnType<typeof troubleOf>]>([
    ['nothing is wrong', {}, null],
    ['its key may not send templates', { mayKeySend: false }, 'key_not_active'],
    ['its account is switched off', { isAccountActive: false }, 'account_not_active'],
    ['its template is not approved', { isTemplateApproved: false }, 'template_paused'],
    ['its template or mapping has changed', { isTemplateChanged: true }, 'template_changed'],
    ['its number is paused', { holdKind: 'paused', holdCode: 131056 }, 'number_paused'],
    ['its number is paused for spam', { holdKind: 'paused', holdCode: 131048 }, 'quality'],
    ['its number has another hold', { holdKind: 'throttled', holdCode: 130429 }, null],
    ['its number is flagged', { qualityEvent: 'FLAGGED' }, 'quality'],
    ['its template is red', { isTemplateRed: true }, 'quality'],
    ['its number has a lower limit', { qualityEvent: 'DOWNGRADE' }, 'messaging_limit'],
    ['its number has a higher limit', { qualityEvent: 'UPGRADE' }, null],
    ['its account is restricted', { isRestricted: true }, 'messaging_limit'],
    ['as many have failed as it allows', { failedShare: 0.1 }, 'failure_rate'],
    ['fewer have failed', { failedShare: 0.09 }, null],
    ['none has failed, and it allows none', { failedShare: 0, failureRate: 0 }, null],
    ['many have failed, and it has no bound', { failedShare: 1, failureRate: null }, null],
    ['its key has used 90 % of the day', { usedToday: 900 }, 'daily_limit'],
    ['its key has used less', { usedToday: 899 }, null],
    [
      'two things are wrong: the reason is the first',
      { isAccountActive: false, usedToday: 1_000 },
      'account_not_active',
    ],
  ])('%s', (_, change, trouble) => {
    expect(troubleOf({ ...fine, ...change })).toBe(trouble);
  });

  it.each<Partial<CampaignFacts>>([
    { holdKind: 'paused' },
    { qualityEvent: 'FLAGGED' },
    { qualityEvent: 'DOWNGRADE' },
  ])('tests go on whatever the number has: %j', (change) => {
    expect(troubleOf({ ...fine, isLive: false, ...change })).toBeNull();
  });
});
