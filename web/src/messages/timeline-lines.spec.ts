import { describe, expect, it } from '@jest/globals';
import type { TimelineEntry } from '../api/types.ts';
import { endWords, timelineLines } from './timeline-lines.ts';

const entry = (status: TimelineEntry['status'], at: string): TimelineEntry => ({
  status,
  at: `2026-11-21T10:42:${at}Z`,
  source: 'worker',
});

const queued = entry('queued', '07.000');
const sent = entry('sent', '07.053');
const failed = entry('failed', '07.053');
const read = entry('read', '09.000');

describe('how a message ended', () => {
  it.each([
    [[queued, sent, read], 'Sent in 53 ms'],
    [[queued, failed], 'Failed after 53 ms'],
    // WhatsApp took it and reported the failure later.
    [[queued, sent, entry('failed', '08.500')], 'Failed after 1.5 s'],
    [[queued], null],
    [[], null],
  ])('%#: %j → %s', (entries, words) => {
    expect(endWords(entries)).toBe(words);
  });
});

describe('the timeline of a message', () => {
  const answer = (at: string, summary: string | null) => ({
    id: `answer ${at}`,
    created_at: `2026-11-21T10:42:${at}Z`,
    summary,
  });

  it('has the answers of the user where they came', () => {
    const lines = timelineLines(
      [queued, sent, read],
      [answer('12.000', 'No'), answer('08.000', 'Yes')],
    );
    expect(lines.map(({ status, text }) => [status, text])).toEqual([
      ['queued', 'Picked up by a worker'],
      ['sent', 'Picked up by a worker'],
      ['answered', '“Yes”'],
      ['read', 'Picked up by a worker'],
      ['answered', '“No”'],
    ]);
    expect(lines.map(({ gapMs }) => gapMs)).toEqual([null, 53, 947, 1_000, 3_000]);
  });

  it('names an answer without words', () => {
    expect(timelineLines([], [answer('08.000', null)])[0]).toMatchObject({
      status: 'answered',
      text: 'By the recipient',
    });
  });
});
