import { jest } from '@jest/globals';
import { Config } from '../config/config.js';
import { StoreWatch } from './store-watch.js';

const lost = Object.assign(new Error('terminated'), { code: '57P01' });

describe('StoreWatch', () => {
  let store: StoreWatch;

  beforeEach(() => {
    jest.useFakeTimers();
    store = new StoreWatch(
      new Config({
        DATABASE_URL: 'postgres://localhost/parley',
        SECRET_KEY: Buffer.alloc(32).toString('base64'),
        SEND_WAIT_MS: '10000',
      }),
    );
  });

  afterEach(() => jest.useRealTimers());

  function loseFor(ms: number): void {
    store.noteFailure(lost);
    jest.advanceTimersByTime(ms);
    store.noteSuccess();
  }

  it('claims nothing while the store is away', () => {
    store.noteFailure(lost);

    expect(store).toMatchObject({
      mayClaimHinted: false,
      mayClaimDue: false,
      mayEndLeases: false,
    });
  });

  it('goes on at once after a moment', () => {
    loseFor(1_000);

    expect(store).toMatchObject({ mayClaimHinted: true, mayClaimDue: true, mayEndLeases: true });
  });

  it('gives API processes time to withdraw what they refused, and others to settle', () => {
    loseFor(5_000);

    expect(store).toMatchObject({ mayClaimHinted: true, mayClaimDue: false, mayEndLeases: false });
    jest.advanceTimersByTime(5_001);
    expect(store).toMatchObject({ mayClaimDue: true, mayEndLeases: false });
    jest.advanceTimersByTime(25_000);
    expect(store).toMatchObject({ mayEndLeases: true });
  });

  it('counts an absence from its first failure', () => {
    store.noteFailure(lost);
    jest.advanceTimersByTime(4_000);
    store.noteFailure(lost);
    store.noteSuccess();

    expect(store.mayClaimDue).toBe(false);
  });

  it('takes a long silence for an absence, and a short one for none', async () => {
    const answerAfter = (ms: number) =>
      store.timed(async () => {
        jest.advanceTimersByTime(ms);
        return Promise.resolve('answer');
      });
    expect(await answerAfter(2_000)).toBe('answer');
    expect(store).toMatchObject({ mayClaimDue: true, mayEndLeases: true });
    expect(await answerAfter(4_000)).toBe('answer');
    expect(store).toMatchObject({ mayClaimHinted: true, mayClaimDue: false, mayEndLeases: false });
    jest.advanceTimersByTime(5_001);
    expect(store).toMatchObject({ mayClaimDue: true, mayEndLeases: false });
  });

  it('counts absences with short returns between them as one', () => {
    loseFor(1_000);
    jest.advanceTimersByTime(1_000);
    loseFor(1_000);
    jest.advanceTimersByTime(1_000);
    loseFor(1_000);
    expect(store.mayClaimDue).toBe(false);

    jest.advanceTimersByTime(10_000);
    loseFor(1_000);
    expect(store.mayClaimDue).toBe(true);
  });

  it('is quiet after a write was refused, though reads go on', () => {
    store.noteFailure(Object.assign(new Error('no space left on device'), { code: '53100' }));
    store.noteSuccess();
    expect(store).toMatchObject({ mayClaimHinted: true, mayClaimDue: false });
    jest.advanceTimersByTime(5_001);
    expect(store.mayClaimDue).toBe(true);
  });

  it('does not take an error of ours for an absence', () => {
    store.noteFailure(Object.assign(new Error('syntax error'), { code: '42601' }));

    expect(store.mayClaimHinted).toBe(true);
  });
});
