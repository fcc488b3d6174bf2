import { jest } from '@jest/globals';
import type { Logger } from 'pino';
import { minuteMs } from '#libs/durations';
import { feedQuotaOf } from './feed-quota.js';
import { type QuotaKey, QuotaService } from './quota.service.js';
import type { QuotaAnswer, QuotaRequest, QuotaStore } from './quota-store.js';

describe('the reads of a feed beyond its limit', () => {
  const key: QuotaKey = {
    rateLimitPerMinute: 1,
    principal: {
      apiKeyId: '01890000-0000-7000-8000-000000000001',
      accountId: '01890000-0000-7000-8000-000000000002',
      dailyLimit: 10,
    },
  };
  let storeMs: number;
  let passedMs: number;
  let looks: number;
  let quota: QuotaService;

  beforeEach(() => {
    storeMs = 10 * minuteMs;
    passedMs = 0;
    looks = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => passedMs);
    const full = ({ minuteLimit }: QuotaRequest): QuotaAnswer => ({
      granted: 0,
      minuteUsed: minuteLimit,
      dayUsed: 0,
      accountVersion: 1,
      nowMs: storeMs + passedMs,
    });
    const store: Pick<QuotaStore, 'takeUnits'> = {
      takeUnits: (requests) => {
        looks += 1;
        return Promise.resolve(requests.map(full));
      },
    };
    quota = new QuotaService(store as QuotaStore, {} as Logger);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('are refused for a second without another look at the store', async () => {
    await quota.takeUnit(feedQuotaOf(key));
    passedMs = 999;
    const refused = await quota.takeUnit(feedQuotaOf(key));

    expect(refused).toMatchObject({ refusedBy: 'minute', nowMs: storeMs + 999 });
    expect(looks).toBe(1);

    passedMs = 1_000;
    await quota.takeUnit(feedQuotaOf(key));
    expect(looks).toBe(2);
  });

  it('are counted again when the minute has ended', async () => {
    storeMs += minuteMs - 1;
    await quota.takeUnit(feedQuotaOf(key));
    passedMs = 1;
    await quota.takeUnit(feedQuotaOf(key));
    expect(looks).toBe(2);
  });

  it('leave other keys alone', async () => {
    await quota.takeUnit(feedQuotaOf(key));
    const another = { ...key.principal, apiKeyId: '01890000-0000-7000-8000-000000000003' };
    await quota.takeUnit(feedQuotaOf({ ...key, principal: another }));
    expect(looks).toBe(2);
  });

  it('are another matter than its other requests, whose limit may have been raised', async () => {
    await quota.takeUnit(key);
    await quota.takeUnit(key);
    expect(looks).toBe(2);
  });
});
