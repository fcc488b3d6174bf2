import { describe, expect, it } from '@jest/globals';
import type { CampaignCounts, CampaignRecipient } from '../api/types.ts';
import {
  adviceOf,
  cancelWords,
  isPassing,
  lastChangeOf,
  pausedWords,
  resumeWords,
  sendingWordsOf,
} from './campaign-words.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const counts: CampaignCounts = {
  total: 1_500,
  pending: 1_200,
  released: 20,
  sending: 0,
  unconfirmed: 0,
  sent: 80,
  delivered: 150,
  read: 50,
  failed: 0,
  skipped: 0,
  cancelled: 0,
};
const campaign = { counts, per_second: null, reason: 'operator', send_at: null } as const;

describe('the words of a campaign', () => {
  it('say what a resumption does, and how fast', () => {
    expect(resumeWords(campaign, now)).toEqual([
      'It goes on now with 1,200 recipients, as fast as the number may send.',
    ]);
    expect(resumeWords({ ...campaign, per_second: 8 }, now)).toEqual([
      'It goes on now with 1,200 recipients, at most 8 a second.',
    ]);
  });

  it('say who has paused it, where that is known', () => {
    expect(pausedWords('operator', { kind: 'user', name: 'ada@example.org' })).toBe(
      'Paused by ada@example.org',
    );
    expect(pausedWords('operator', { kind: 'api_key', name: 'shop' })).toBe(
      'Paused by a program with the key “shop”',
    );
    expect(pausedWords('operator', null)).toBe('Paused by hand');
    expect(pausedWords('failure_rate', null)).toBe('Paused: too many failures');
  });

  it('say to whom it sends and how long that takes, without a contradiction', () => {
    expect(sendingWordsOf(96, 48)).toBe(
      '96 people, one after another: about 48 s at the present pace',
    );
    expect(sendingWordsOf(1, 0.5)).toBe('1 person: about 500 ms at the present pace');
    expect(sendingWordsOf(1_200, null)).toBe('1,200 people, one after another');
  });

  it('say that it waits again where its time is to come', () => {
    const sendAt = '2026-11-20T10:00:01.000Z';
    expect(resumeWords({ ...campaign, send_at: sendAt }, now)).toEqual([
      expect.stringMatching(/^It waits for its time again/),
    ]);
    expect(resumeWords({ ...campaign, send_at: sendAt }, now + 1_000)).toEqual([
      expect.stringMatching(/^It goes on now/),
    ]);
  });

  it('warn that it pauses again where its cause is still there', () => {
    expect(resumeWords({ ...campaign, reason: 'failure_rate' }, now)[1]).toBe(
      `${adviceOf('failure_rate')} If its cause is still there, the campaign pauses again.`,
    );
  });

  it('say what a cancellation stops, and what stays', () => {
    expect(cancelWords({ counts, status: 'running' })).toEqual([
      '1,220 recipients will get nothing from it. The few messages that are being sent at this moment still go out.',
      '280 messages sent already cannot be taken back. A cancelled campaign cannot go on; a paused one can. You can still send to them: its page then offers a draft for the rest.',
    ]);
    const unsent = { ...counts, released: 0, sent: 0, delivered: 0, read: 0 };
    expect(cancelWords({ counts: unsent, status: 'scheduled' })[1]).toBe(
      'A cancelled campaign cannot go on; a paused one can. You can still send to them: its page then offers a draft for the rest.',
    );
  });

  it('say of a draft that nothing comes of it', () => {
    const draft = { ...counts, pending: 12 };
    expect(cancelWords({ counts: draft, status: 'draft' })).toEqual([
      'Its 12 recipients will get nothing. It cannot be started any more. The list shows it as cancelled.',
    ]);
    expect(cancelWords({ counts: { ...counts, pending: 0 }, status: 'draft' })).toEqual([
      'It cannot be started any more. The list shows it as cancelled.',
    ]);
  });

  it('tell pauses that end by themselves from others', () => {
    expect(isPassing({ reason: 'daily_limit' })).toBe(true);
    expect(isPassing({ reason: 'operator' })).toBe(false);
    expect(isPassing({ reason: null })).toBe(false);
  });

  it('know when the last thing happened to a recipient', () => {
    const recipient = {
      released_at: '2026-11-20T10:00:00.000Z',
      sent_at: '2026-11-20T10:00:01.000Z',
      read_at: '2026-11-20T10:00:09.000Z',
      // WhatsApp may report it after the reading.
      delivered_at: '2026-11-20T10:00:05.000Z',
      failed_at: null,
    } as CampaignRecipient;
    expect(lastChangeOf(recipient)).toBe('2026-11-20T10:00:09.000Z');
    const none = { released_at: null, sent_at: null, read_at: null, delivered_at: null };
    expect(lastChangeOf({ ...recipient, ...none })).toBeNull();
  });
});
