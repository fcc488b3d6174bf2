import { jest } from '@jest/globals';
import type { RefusedMessage } from '../messages/rows/message-claims.js';
import { PacedNumbers, type Turn } from './paced-numbers.js';

describe('messages that wait for their number', () => {
  let turns: Turn[];
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
    waiting: true,
    waitMs: 12,
    burst: 20,
    ...change,
  });
  const many = (count: number, change: Partial<RefusedMessage> = {}) =>
    Array.from({ length: count }, (_, at) => refused(`${1_000 + at}`, change));
  const nothing = { ids: [], seenAt: '' };

  it('get their turn when their number has a token, but not every few milliseconds', () => {
    numbers.keep([refused('a')]);
    jest.advanceTimersByTime(19);
    expect(turns).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(turns).toEqual([{ waiting: ['a'], background: [], found: nothing, late: [] }]);
  });

  it('get it less often where nobody waits', () => {
    numbers.keep([refused('a', { waiting: false })]);
    jest.advanceTimersByTime(99);
    expect(turns).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(turns).toEqual([{ waiting: [], background: ['a'], found: nothing, late: [] }]);
  });

  it('get it at once where their number has had no bucket of tokens: a new one is full', () => {
    numbers.keep([refused('a', { waitMs: null })]);
    expect(turns).toEqual([{ waiting: ['a'], background: [], found: nothing, late: [] }]);
  });

  it('go in the order of their age, those with waiting callers first, as many as there may be tokens', () => {
    numbers.keep(many(5, { waiting: false }));
    numbers.keep([refused('2'), refused('1')]);
    jest.advanceTimersByTime(20);
    // Two tokens came in these 20 ms, and a third may be there.
    expect(turns).toEqual([
      { waiting: ['1', '2'], background: ['1000'], found: nothing, late: [] },
    ]);
    jest.advanceTimersByTime(100);
    expect(turns[1]?.background).toEqual(['1001', '1002', '1003', '1004']);
  });

  it('use the whole pace of their number', () => {
    numbers.keep(many(200, { waiting: false }));
    jest.advanceTimersByTime(1_000);
    expect(turns.flatMap(({ background }) => background).length).toBeGreaterThanOrEqual(80);
  });

  it('come back in front when they were refused again', () => {
    numbers.keep(many(30));
    jest.advanceTimersByTime(20);
    const [turn] = turns;
    numbers.keep((turn?.waiting ?? []).map((id) => refused(id)));
    jest.advanceTimersByTime(20);
    expect(turns[1]?.waiting).toEqual(turn?.waiting);
  });

  it('leave the next token to another worker after this one has sent', () => {
    numbers.keep([refused('a', { waitMs: 200 })]);
    numbers.noteClaimed([{ accountId: 'one' }]);
    numbers.keep([refused('b', { waitMs: 100 })]);
    jest.advanceTimersByTime(104);
    expect(turns).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(turns).toHaveLength(1);
  });

  it('hold up no other number', () => {
    numbers.keep([refused('slow', { waitMs: 900, burst: 1 })]);
    numbers.keep([refused('fast', { accountId: 'other' })]);
    jest.advanceTimersByTime(20);
    expect(turns.map(({ waiting }) => waiting)).toEqual([['fast']]);
  });

  it('are kept up to a thousand; the rows of the others are found later', () => {
    numbers.keep(many(1_500, { burst: 5_000 }));
    jest.advanceTimersByTime(1_000);
    expect(turns.flatMap(({ waiting }) => waiting)).toHaveLength(1_000);
  });

  it('go after older ones that were found: another worker had no turn for these', () => {
    numbers.keep([refused('2', { waiting: false }), refused('4', { waiting: false })]);
    const found = ['1', '3', '5'].map((id) => refused(id, { waiting: false, burst: 3 }));
    numbers.keep(found, { seenAt: 'look' });
    jest.advanceTimersByTime(100);
    expect(turns).toEqual([
      { waiting: [], background: ['2'], found: { ids: ['1', '3'], seenAt: 'look' }, late: [] },
    ]);
  });

  it('that were released come after all others, and are not forgotten', () => {
    numbers.keep(many(5, { waiting: false, burst: 3 }), { isLate: true });
    numbers.keep([refused('9', { waiting: false, burst: 3 })]);
    jest.advanceTimersByTime(100);
    // A turn has three places, and the single message takes the first.
    expect(turns[0]).toMatchObject({ background: ['9'], late: ['1000', '1001'] });
    jest.advanceTimersByTime(1_000);
    expect(turns.flatMap(({ late }) => late)).toHaveLength(5);
  });

  it('that were found are replaced by the next look', () => {
    numbers.keep([refused('a', { waiting: false })], { seenAt: 'first' });
    numbers.keep([refused('b', { waiting: false })], { seenAt: 'second' });
    jest.advanceTimersByTime(100);
    expect(turns).toEqual([
      { waiting: [], background: [], found: { ids: ['b'], seenAt: 'second' }, late: [] },
    ]);
  });

  it('get no turn any more when the process stops', () => {
    numbers.keep([refused('a')]);
    numbers.stop();
    jest.advanceTimersByTime(1_000);
    expect(turns).toEqual([]);
  });
});
