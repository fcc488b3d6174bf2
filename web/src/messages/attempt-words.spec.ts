import { describe, expect, it } from '@jest/globals';
import type { Attempt } from '../api/types.ts';
import { attemptWords } from './attempt-words.ts';

const refused: Attempt = {
  number: 1,
  started_at: '2026-11-21T10:42:07.109Z',
  duration_ms: 62,
  outcome: 'refused',
  http_status: 429,
  error_code: 130_429,
  detail: '{"error":{}}',
};

const next: Attempt = { ...refused, number: 2, started_at: '2026-11-21T10:42:07.696Z' };

const failed = { type: 'text', status: 'failed' } as const;

describe('the words for an attempt', () => {
  it('say what the code means, and not what came over the wire', () => {
    expect(attemptWords(refused, undefined, failed)).toBe(
      'Too many messages per second from this number',
    );
  });

  it('depend on the type of the message', () => {
    const closed = { ...refused, error_code: 131_047 };
    expect(attemptWords(closed, undefined, failed)).toMatch(/a template is needed$/);
    expect(attemptWords(closed, undefined, { ...failed, type: 'template' })).toMatch(
      /though it is a template$/,
    );
  });

  it('say when it was tried again', () => {
    expect(attemptWords(refused, next, failed)).toBe(
      'Too many messages per second from this number · tried again after 525 ms',
    );
  });

  it('say that another try follows, where none has begun', () => {
    expect(attemptWords(refused, undefined, { type: 'text', status: 'queued' })).toBe(
      'Too many messages per second from this number · waits for another try',
    );
  });

  it.each([
    ['{"error":{"message":"(#131028) Unknown error","code":131028}}', 'Unknown error'],
    ['{"error":{"message":"(#131028) Unkn', 'Refused'],
    ['{"error":{"message":"(#131028)"}}', 'Refused'],
    ['null', 'Refused'],
    [null, 'Refused'],
  ])('are those of WhatsApp for an unknown code: %j', (detail, words) => {
    const unknown = { ...refused, error_code: 131_028, detail };
    expect(attemptWords(unknown, undefined, failed)).toBe(words);
  });

  it('do not call a failure what may have arrived', () => {
    const attempt = { ...refused, outcome: 'ambiguous', error_code: null };
    expect(attemptWords(attempt, undefined, failed)).toBe('No clear answer · WhatsApp may have it');
  });
});
