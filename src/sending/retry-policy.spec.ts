import type { PlatformError, SendResult } from '#libs/whatsapp';
import { judge, retryDelayMs } from './retry-policy.js';

const inTime = { attempt: 1, giveUpInMs: 60_000, unpreparedGiveUpInMs: 600_000 };
const tooLate = { attempt: 1, giveUpInMs: 100, unpreparedGiveUpInMs: 100 };

function refused(
  code: number,
  change: Partial<PlatformError> & { httpStatus?: number; retryAfterSeconds?: number } = {},
): SendResult {
  const { httpStatus = 400, retryAfterSeconds = null, ...error } = change;
  return {
    outcome: 'refused',
    error: {
      code,
      message: `(#${code}) Refused`,
      type: 'OAuthException',
      subcode: null,
      details: 'Field x',
      isTransient: null,
      fbtraceId: null,
      ...error,
    },
    httpStatus,
    retryAfterSeconds,
    durationMs: 1,
    response: '{}',
  };
}

const accepted: SendResult = {
  outcome: 'accepted',
  platformMessageId: 'wamid.1',
  messageStatus: null,
  waId: null,
  httpStatus: 200,
  durationMs: 1,
};

describe('the delay before a further try', () => {
  it('doubles from a quarter of a second, which puts tries at 0, 0.25, 0.75, 1.75, 3.75, 7.75 s', () => {
    const delays = [1, 2, 3, 4, 5].map((attempt) => retryDelayMs(attempt, 0.5));
    expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000]);
  });

  it('varies by a fifth either way', () => {
    expect([retryDelayMs(3, 0), retryDelayMs(3, 1)]).toEqual([800, 1_200]);
  });

  it('is never longer than a minute, give or take a fifth', () => {
    expect(retryDelayMs(40, 0.5)).toBe(60_000);
  });
});

describe('what follows from an attempt', () => {
  it('accepted: sent', () => {
    expect(judge(accepted, tooLate)).toEqual({
      status: 'sent',
      failure: null,
      retryInMs: null,
      trouble: null,
    });
  });

  it.each(['timeout', 'connection_lost', 'server_error'])(
    'ambiguous (%s): unconfirmed, however much time is left',
    (reason) => {
      const result = {
        outcome: 'ambiguous',
        reason,
        httpStatus: null,
        detail: '',
        durationMs: 1,
        response: null,
      };
      expect(judge(result as SendResult, inTime)).toEqual({
        status: 'unconfirmed',
        failure: null,
        retryInMs: null,
        trouble: null,
      });
    },
  );

  it('not written: another try while there is time, then unreachable', () => {
    const result = {
      outcome: 'not_written',
      reason: 'connect_failed',
      detail: '',
      durationMs: 1,
    } as SendResult;
    expect(judge(result, inTime)).toMatchObject({ status: 'queued', trouble: null });
    expect(judge(result, tooLate)).toMatchObject({
      status: 'failed',
      retryInMs: null,
      failure: { reason: 'unreachable', retryable: true, platformCode: null },
    });
  });

  it.each([
    ['credentials_unreadable', 'failed'],
    ['no_simulator', 'queued'],
    ['store_unavailable', 'queued'],
  ] as const)('not prepared because of %s: %s, and not the fault of WhatsApp', (reason, status) => {
    const result = { outcome: 'not_written', reason, detail: '' } as const;
    expect(judge(result, inTime)).toMatchObject({ status, failure: { reason, retryable: true } });
    expect(judge(result, tooLate)).toMatchObject({ status: 'failed', failure: { reason } });
  });

  it('keeps the platform’s code and text for the caller', () => {
    expect(judge(refused(131026), inTime).failure).toEqual({
      code: 'MESSAGE_SEND_FAILED',
      message: 'Recipient not on WhatsApp, or cannot receive the message: Field x',
      retryable: false,
      platformCode: 131026,
      platformMessage: '(#131026) Refused',
      reason: null,
      refusal: {
        status: 400,
        subcode: null,
        type: 'OAuthException',
        details: 'Field x',
        isTransient: null,
        trace: null,
      },
    });
  });

  it.each([
    // code, status with time left, retryable, trouble
    [131026, 'failed', false, null],
    [131047, 'failed', false, null],
    [130472, 'failed', false, null],
    [131051, 'failed', false, null],
    [131052, 'failed', false, null],
    [100, 'failed', false, null],
    [132001, 'failed', false, null],
    [131000, 'queued', true, null],
    [131016, 'queued', true, null],
    [2, 'queued', true, null],
    [131057, 'queued', true, null],
    [131056, 'queued', true, null],
    [4, 'queued', true, 'throttled'],
    [80007, 'queued', true, 'throttled'],
    [130429, 'queued', true, 'throttled'],
    [0, 'failed', true, 'paused'],
    [3, 'failed', true, 'paused'],
    [10, 'failed', true, 'paused'],
    [190, 'failed', true, 'paused'],
    [200, 'failed', true, 'paused'],
    [299, 'failed', true, 'paused'],
    [131005, 'failed', true, 'paused'],
    [131031, 'failed', true, 'paused'],
    [131042, 'failed', true, 'paused'],
    [131045, 'failed', true, 'paused'],
    [133010, 'failed', true, 'paused'],
    [368, 'failed', false, 'paused'],
  ])('refused with %i: %s, retryable %s, the number %s', (code, status, retryable, kind) => {
    const verdict = judge(refused(code), inTime);
    expect({
      status: verdict.status,
      retryable: verdict.failure?.retryable,
      kind: verdict.trouble?.kind ?? null,
    }).toEqual({ status, retryable, kind });
    expect(verdict.retryInMs !== null).toBe(status === 'queued');
    expect(verdict.trouble?.code ?? null).toBe(kind && code);
  });

  it.each([131000, 130429, 131056])(
    'refused with %i and no time left: failed now, the caller may try again',
    (code) => {
      expect(judge(refused(code), tooLate)).toMatchObject({
        status: 'failed',
        retryInMs: null,
        failure: { retryable: true },
      });
    },
  );

  it('holds the number also for the last try that was throttled', () => {
    expect(judge(refused(130429), tooLate).trouble?.kind).toBe('throttled');
  });

  it.each([
    [1, 2],
    [131053, 2],
  ])('tries %i again twice at most', (code, most) => {
    expect(judge(refused(code), { ...inTime, attempt: most }).status).toBe('queued');
    expect(judge(refused(code), { ...inTime, attempt: most + 1 }).status).toBe('failed');
  });

  it('waits 1, 4, 16 … seconds for a recipient that gets too many', () => {
    const delays = [1, 2, 3, 4].map(
      (attempt) =>
        judge(refused(131056), { attempt, giveUpInMs: 1e9, unpreparedGiveUpInMs: 0 }).retryInMs,
    );
    expect(delays).toEqual([1_000, 4_000, 16_000, 60_000]);
  });

  it('waits as long as the platform asks', () => {
    expect(judge(refused(131016, { retryAfterSeconds: 7 }), inTime).retryInMs).toBe(7_000);
    expect(judge(refused(131016, { retryAfterSeconds: 70 }), inTime).status).toBe('failed');
  });

  it.each([
    ['a transient one', { isTransient: true }, 'queued', null],
    ['a 429', { httpStatus: 429 }, 'queued', 'throttled'],
    ['a 500', { httpStatus: 500 }, 'queued', null],
    ['a 400', { httpStatus: 400 }, 'failed', null],
  ])('judges an unknown code by what comes with it: %s', (_, change, status, kind) => {
    const verdict = judge(refused(999_999, change), inTime);
    expect([verdict.status, verdict.trouble?.kind ?? null]).toEqual([status, kind]);
  });
});
