import fc from 'fast-check';
import type { SendResult } from '#libs/whatsapp';
import { judge } from './retry-policy.js';

/** What a call may result in, as the client reports it. */
const results = fc.oneof(
  fc.record({
    outcome: fc.constant('not_written' as const),
    reason: fc.constant('connect_failed' as const),
    detail: fc.constant(''),
    durationMs: fc.nat(),
  }),
  fc.record({
    outcome: fc.constant('refused' as const),
    httpStatus: fc.constantFrom(400, 429, 500, 503),
    retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 120 })),
    response: fc.constant('{}'),
    durationMs: fc.nat(),
    error: fc.record({
      code: fc.constantFrom(1, 2, 4, 100, 190, 368, 80007, 130429, 131000, 131016, 131026, 131056),
      subcode: fc.constant(null),
      type: fc.constant(null),
      message: fc.constant('Refused'),
      details: fc.constant(null),
      isTransient: fc.boolean(),
      userTitle: fc.constant(null),
      userMessage: fc.constant(null),
      traceId: fc.constant(null),
    }),
  }),
  fc.record({
    outcome: fc.constantFrom('ambiguous' as const, 'accepted' as const),
    reason: fc.constant('timeout' as const),
    platformMessageId: fc.constant('wamid.x'),
    httpStatus: fc.constant(200),
    detail: fc.constant(''),
    durationMs: fc.nat(),
  }),
) as unknown as fc.Arbitrary<SendResult>;

describe('the clock of tries', () => {
  it('starts none after the message’s last moment, and none after the last word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(results, fc.integer({ min: 1, max: 20_000 })), { minLength: 1 }),
        fc.integer({ min: 0, max: 900_000 }),
        (calls, lifetimeMs) => {
          let nowMs = 0;
          let attempt = 0;
          for (const [result, tookMs] of calls) {
            attempt += 1;
            // The claim's own rule: a further try starts while there is time.
            expect(attempt === 1 || nowMs < lifetimeMs).toBe(true);
            nowMs += tookMs;
            const verdict = judge(result, {
              attempt,
              giveUpInMs: lifetimeMs - nowMs,
              unpreparedGiveUpInMs: 0,
            });
            expect(verdict.retryInMs !== null).toBe(verdict.status === 'queued');
            expect(verdict.failure === null).toBe(
              verdict.status === 'sent' || verdict.status === 'unconfirmed',
            );
            expect(verdict.status === 'unconfirmed').toBe(result.outcome === 'ambiguous');
            expect(verdict.status === 'sent').toBe(result.outcome === 'accepted');
            if (verdict.retryInMs === null) return;
            // Each wait is at least the one before allows for, never a storm.
            expect(verdict.retryInMs).toBeGreaterThanOrEqual(200 * 2 ** Math.min(attempt - 1, 7));
            nowMs += verdict.retryInMs;
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
