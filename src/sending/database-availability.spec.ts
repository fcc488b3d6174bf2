import { jest } from '@jest/globals';
import { Config } from '../config/config.js';
import { DatabaseAvailability } from './database-availability.js';

const lost = Object.assign(new Error('terminated'), { code: '57P01' });

describe('DatabaseAvailability', () => {
  let store: DatabaseAvailability;

  beforeEach(() => {
    jest.useFakeTimers();
    store = new DatabaseAvailability(
      new Config({
        DATABASE_URL: 'postgres://localhost/parley',
        SECRET_KEY: Buffer.alloc(32).toString('base64'),
        SEND_WAIT_MS: '10000',
      }),
    );
  });

  afterEach(() => jest.useRealTimers());

  /** A question that is answered so late, or fails. */
  async function ask(takesMs = 0, error?: Error): Promise<string | null> {
    const asking = store.ask(async () => {
      jest.advanceTimersByTime(takesMs);
      if (error) throw error;
      return Promise.resolve('answer');
    });
    return asking.catch(() => null);
  }

  async function loseFor(ms: number): Promise<void> {
    await ask(0, lost);
    jest.advanceTimersByTime(ms);
    await ask();
  }

  it('passes on what the store answers, and its errors', async () => {
    expect(await store.ask(() => Promise.resolve('answer'))).toBe('answer');
    await expect(store.ask(() => Promise.reject(lost))).rejects.toBe(lost);
  });

  it('claims nothing while the store is away', async () => {
    await ask(0, lost);

    expect(store).toMatchObject({
      mayClaimHinted: false,
      mayClaimDue: false,
      mayEndLeases: false,
    });
  });

  it('goes on at once after a moment', async () => {
    await loseFor(1_000);

    expect(store).toMatchObject({ mayClaimHinted: true, mayClaimDue: true, mayEndLeases: true });
  });

  it('gives API processes time to withdraw what they refused, and others to settle', async () => {
    await loseFor(5_000);

    expect(store).toMatchObject({ mayClaimHinted: true, mayClaimDue: false, mayEndLeases: false });
    jest.advanceTimersByTime(5_001);
    expect(store).toMatchObject({ mayClaimDue: true, mayEndLeases: false });
    jest.advanceTimersByTime(25_000);
    expect(store).toMatchObject({ mayEndLeases: true });
  });

  it('counts an absence from its first failure', async () => {
    await ask(0, lost);
    jest.advanceTimersByTime(4_000);
    await ask(0, lost);
    await ask();

    expect(store.mayClaimDue).toBe(false);
  });

  // A connection that could not be opened: the store was silent all that time.
  it('counts the wait for a failure as absence', async () => {
    await ask(2_000, lost);
    jest.advanceTimersByTime(600);
    await ask();

    expect(store.mayClaimDue).toBe(false);
  });

  it('takes a long silence for an absence, and a short one for none', async () => {
    await ask(2_000);
    expect(store).toMatchObject({ mayClaimDue: true, mayEndLeases: true });
    await ask(4_000);
    expect(store).toMatchObject({ mayClaimHinted: true, mayClaimDue: false, mayEndLeases: false });
    jest.advanceTimersByTime(5_001);
    expect(store).toMatchObject({ mayClaimDue: true, mayEndLeases: false });
  });

  it('counts absences with short returns between them as one', async () => {
    await loseFor(1_000);
    jest.advanceTimersByTime(1_000);
    await loseFor(1_000);
    jest.advanceTimersByTime(1_000);
    await loseFor(1_000);
    expect(store.mayClaimDue).toBe(false);

    jest.advanceTimersByTime(10_000);
    await loseFor(1_000);
    expect(store.mayClaimDue).toBe(true);
  });

  it('is quiet after a write was refused, though reads go on', async () => {
    await ask(0, Object.assign(new Error('no space left on device'), { code: '53100' }));
    await ask();
    expect(store).toMatchObject({ mayClaimHinted: true, mayClaimDue: false });
    jest.advanceTimersByTime(5_001);
    expect(store.mayClaimDue).toBe(true);
  });

  it('does not take an error of ours for an absence', async () => {
    await ask(0, Object.assign(new Error('syntax error'), { code: '42601' }));

    expect(store.mayClaimHinted).toBe(true);
  });
});
