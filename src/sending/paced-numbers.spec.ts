import { jest } from '@jest/globals';
import type { RefusedMessage } from '../messages/rows/message-claims.js';
import type { Offer, OfferKind } from './offer.js';
import { PacedNumbers } from './paced-numbers.js';

describe('messages that wait for their number', () => {
  let turns: Offer[][];
  let numbers: PacedNumbers;

  beforeEach(() => {
    jest.useFakeTimers();
    turns = [];
    numbers = new PacedNumbers((turn) => turns.push(turn));
  });
  afterEach(() => {
    numbers.stop();
    jest.useRealTimers();
  });

  /** 80 messages a second, unless it is said otherwise. */
  const refused = (id: string, change: Partial<RefusedMessage> = {}): RefusedMessage => ({
    id,
    accountId: 'one',
    lane: 1,
    waitMs: 12,
    burst: 20,
    ...change,
  });
  const many = (count: number, change: Partial<RefusedMessage> = {}) =>
    Array.from({ length: count }, (_, at) => refused(`${1_000 + at}`, change));
  const keep = (
    kind: OfferKind,
    messages: readonly RefusedMessage[],
    seenAt: string | null = null,
  ) =>
    numbers.keep(
      messages.map((one) => ({ ...one, lane: lanes[kind] ?? one.lane })),
      { kind, seenAt },
    );
  const lanes: Partial<Record<OfferKind, number>> = { waiting: 0, scheduled: 2, campaign: 3 };
  const idsOf = (turn: readonly Offer[] | undefined) => turn?.map(({ id }) => id);

  it('get their turn when their number has a token, but not every few milliseconds', () => {
    keep('waiting', [refused('a')]);
    jest.advanceTimersByTime(19);
    expect(turns).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(turns).toMatchObject([[{ id: 'a', kind: 'waiting', seenAt: null }]]);
  });

  it('get it less often where nobody waits', () => {
    keep('background', [refused('a')]);
    jest.advanceTimersByTime(99);
    expect(turns).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(turns).toMatchObject([[{ id: 'a', kind: 'background', seenAt: null }]]);
  });

  it('go in the order of their age, those with waiting callers first, as many as there may be tokens', () => {
    keep('background', many(5));
    keep('waiting', [refused('2'), refused('1')]);
    jest.advanceTimersByTime(20);
    // Two tokens came in these 20 ms, and a third may be there.
    expect(turns.map(idsOf)).toEqual([['1', '2', '1000']]);
    jest.advanceTimersByTime(100);
    expect(idsOf(turns[1])).toEqual(['1001', '1002', '1003', '1004']);
  });

  it('use the whole pace of their number', () => {
    keep('background', many(200));
    jest.advanceTimersByTime(1_000);
    expect(turns.flat().length).toBeGreaterThanOrEqual(80);
  });

  it('come back in front when they were refused again', () => {
    keep('waiting', many(30));
    jest.advanceTimersByTime(20);
    const first = idsOf(turns[0]) ?? [];
    keep(
      'waiting',
      first.map((id) => refused(id)),
    );
    jest.advanceTimersByTime(20);
    expect(idsOf(turns[1])).toEqual(first);
  });

  it('leave the next token to another worker after this one has sent', () => {
    keep('waiting', [refused('a', { waitMs: 200 })]);
    numbers.noteClaimed([{ accountId: 'one' }]);
    keep('waiting', [refused('b', { waitMs: 100 })]);
    jest.advanceTimersByTime(104);
    expect(turns).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(turns).toHaveLength(1);
  });

  it('hold up no other number', () => {
    keep('waiting', [refused('slow', { waitMs: 900, burst: 1 })]);
    keep('waiting', [refused('fast', { accountId: 'other' })]);
    jest.advanceTimersByTime(20);
    expect(turns.map(idsOf)).toEqual([['fast']]);
  });

  it('are kept up to a thousand; the rows of the others are found later', () => {
    keep('waiting', many(1_500, { burst: 100 }));
    jest.advanceTimersByTime(3_000);
    expect(turns.flat()).toHaveLength(1_000);
  });

  it('of a fast number are kept for two seconds of its pace: each second a look finds as many', () => {
    keep('found', many(2_500, { burst: 250 }), 'look');
    jest.advanceTimersByTime(3_000);
    expect(turns.flat()).toHaveLength(2_000);
  });

  it('go after older ones that were found: another worker had no turn for these', () => {
    keep('background', [refused('2'), refused('4')]);
    keep(
      'found',
      ['1', '3', '5'].map((id) => refused(id, { burst: 3 })),
      'look',
    );
    jest.advanceTimersByTime(100);
    expect(turns).toMatchObject([
      [
        { id: '1', kind: 'found', seenAt: 'look' },
        { id: '2', kind: 'background', seenAt: null },
        { id: '3', kind: 'found', seenAt: 'look' },
      ],
    ]);
  });

  it('take one place in a turn if they were named and found', () => {
    keep('waiting', [refused('1', { burst: 2 })]);
    keep(
      'found',
      ['1', '2'].map((id) => refused(id, { burst: 2 })),
      'look',
    );
    jest.advanceTimersByTime(100);
    expect(turns.flat()).toMatchObject([
      { id: '1', kind: 'waiting', seenAt: null },
      { id: '2', kind: 'found', seenAt: 'look' },
    ]);
  });

  it('keep their lane when they are found: a campaign stays behind single messages', () => {
    const ofCampaign = ['1', '2'].map((id) => refused(id, { burst: 2, lane: 3 }));
    keep('campaign', ofCampaign);
    keep('found', ofCampaign, 'look');
    keep('background', [refused('9', { burst: 2 })]);
    jest.advanceTimersByTime(200);
    expect(turns.map(idsOf)).toEqual([['9', '1'], ['2']]);
    expect(turns.flat().map(({ kind }) => kind)).toEqual(['background', 'campaign', 'campaign']);
  });

  it('that are of campaigns come after all others, scheduled ones before them, and none is forgotten', () => {
    keep('campaign', many(5, { burst: 3 }));
    keep('scheduled', [refused('8', { burst: 3 })]);
    keep('background', [refused('9', { burst: 3 })]);
    jest.advanceTimersByTime(100);
    // A turn has three places.
    expect(idsOf(turns[0])).toEqual(['9', '8', '1000']);
    jest.advanceTimersByTime(1_000);
    expect(turns.flat()).toHaveLength(7);
  });

  it('that were found are replaced by the next look', () => {
    keep('found', [refused('a')], 'first');
    keep('found', [refused('b')], 'second');
    jest.advanceTimersByTime(100);
    expect(turns).toMatchObject([[{ id: 'b', kind: 'found', seenAt: 'second' }]]);
  });

  it('get no turn any more when the process stops', () => {
    keep('waiting', [refused('a')]);
    numbers.stop();
    jest.advanceTimersByTime(1_000);
    expect(turns).toEqual([]);
  });
});
