import { describe, expect, it } from '@jest/globals';
import type { Attempt, Delivery, TimelineEntry } from '../api/types.ts';
import { clockTime } from '../parts/times.ts';
import { deliveredWords, endWords, type Story, timelineLines } from './timeline-lines.ts';

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
  const at = (seconds: string) => `2026-11-21T10:42:${seconds}Z`;
  const delivery = (event: Delivery['event'], seconds: string, change: Partial<Delivery> = {}) =>
    ({
      id: `${event} ${seconds}`,
      webhook_id: `${event} ${seconds}`,
      event,
      created_at: at(seconds),
      summary: null,
      ...change,
    }) as Delivery;
  const attempt = (number: number, seconds: string) =>
    ({ number, started_at: at(seconds), outcome: 'refused' }) as Attempt;
  const shown = (story: Partial<Story>) =>
    timelineLines({ timeline: [], attempts: [], deliveries: [], ...story }).map((line) => {
      if (line.kind === 'status') return line.status;
      if (line.kind === 'attempt') return `try ${line.attempt.number}`;
      return line.kind === 'answer' ? line.text : line.delivery.event;
    });

  it('is everything that happened, where it happened', () => {
    const deliveries = [
      delivery('message.received', '12.000', { summary: 'No' }),
      delivery('message.status', '09.500'),
      delivery('message.received', '08.000', { summary: 'Yes' }),
    ];
    const timeline = [queued, entry('sending', '07.010'), sent, read];
    const story = { timeline, attempts: [attempt(1, '07.012')], deliveries };
    expect(shown(story)).toEqual([
      'queued',
      'try 1',
      'sent',
      '“Yes”',
      'message.received',
      'read',
      'message.status',
      '“No”',
      'message.received',
    ]);
    expect(timelineLines(story).map(({ gapMs }) => gapMs)).toEqual([
      null,
      12,
      41,
      947,
      0,
      1_000,
      500,
      2_500,
      0,
    ]);
  });

  it('has the delivery of a status after the status, even if its event was written a moment before', () => {
    const deliveries = [delivery('message.status', '07.052', { summary: 'sent' })];
    const story = { timeline: [queued, sent, read], deliveries };
    expect(shown(story)).toEqual(['queued', 'sent', 'message.status', 'read']);
    // It did not happen 0 ms after the status.
    const lines = timelineLines({ attempts: [], ...story });
    expect(lines.map(({ gapMs }) => gapMs)).toEqual([null, 53, null, 1_947]);
  });

  it('has no step earlier than the one that caused it', () => {
    const report = (id: string, seconds: string) =>
      delivery('message.status', seconds, { summary: 'failed', id });
    const lines = timelineLines({
      timeline: [queued, entry('failed', '07.032')],
      attempts: [],
      // Both were written a moment before the status, the answer to it a moment later.
      deliveries: [
        delivery('message.received', '07.040', { summary: 'Hello' }),
        report('other endpoint', '07.024'),
        report('endpoint', '07.024'),
      ],
    });
    expect(lines.map(({ at: shownAt, gapMs }) => [shownAt, gapMs])).toEqual([
      [at('07.000'), null],
      [at('07.032'), 32],
      [at('07.032'), null],
      [at('07.032'), null],
      [at('07.040'), 8],
      [at('07.040'), 0],
    ]);
  });

  it('keeps a time that is too far off for a difference of clocks', () => {
    const lines = timelineLines({
      timeline: [queued, entry('sent', '30.000'), entry('delivered', '09.000')],
      attempts: [],
      deliveries: [],
    });
    expect(lines.map(({ at: shownAt, gapMs }) => [shownAt, gapMs])).toEqual([
      [at('07.000'), null],
      [at('30.000'), 23_000],
      [at('09.000'), null],
    ]);
  });

  it.each([
    // WhatsApp reports whole seconds: it was sent "before" the try began.
    ['07.020', '07.000', ['queued', 'try 1', 'sent', 'read']],
    // The worker's clock is a little behind the API's.
    ['06.990', '07.053', ['queued', 'try 1', 'sent', 'read']],
    // No clock is so far behind: the order is that of the times.
    ['14.000', '07.053', ['queued', 'sent', 'read', 'try 1']],
  ])('has a try at %s before what it led to at %s', (began, sentAt, expected) => {
    const accepted: TimelineEntry = { ...queued, source: 'api' };
    const timeline = [accepted, entry('sending', '07.010'), entry('sent', sentAt), read];
    expect(shown({ timeline, attempts: [attempt(1, began)] })).toEqual(expected);
  });

  it('has an answer after the message was sent, and between two tries only what came between', () => {
    const answer = delivery('message.received', '06.900', { summary: 'Yes' });
    expect(shown({ timeline: [queued, sent], deliveries: [answer] })).toContain('“Yes”');
    expect(shown({ timeline: [queued, sent], deliveries: [answer] }).indexOf('“Yes”')).toBe(2);
    const tries = [attempt(1, '07.010'), attempt(2, '08.000')];
    const timeline = [queued, entry('sending', '07.005'), entry('sending', '07.990'), failed];
    expect(
      shown({ timeline: [...timeline.slice(0, 3), entry('failed', '08.050')], attempts: tries }),
    ).toEqual(['queued', 'try 1', 'try 2', 'failed']);
  });

  it('has what happened in one millisecond in the order of its causes', () => {
    const delivered = entry('delivered', '07.053');
    const report = (summary: string, seconds = '07.053') =>
      delivery('message.status', seconds, { summary, id: summary });
    const story = {
      timeline: [queued, sent, delivered, read],
      deliveries: [report('delivered'), report('sent'), report('read', '09.000')],
      attempts: [],
    };
    const reported = timelineLines(story).map((line) =>
      line.kind === 'status'
        ? line.status
        : line.kind === 'delivery' && `: ${line.delivery.summary}`,
    );
    expect(reported).toEqual([
      'queued',
      'sent',
      ': sent',
      'delivered',
      ': delivered',
      'read',
      ': read',
    ]);
  });

  it('has an event in WhatsApp’s own form after the status that it reports', () => {
    const deliveries = [delivery('whatsapp.messages', '08.999', { summary: 'read' })];
    expect(shown({ timeline: [queued, sent, read], deliveries })).toEqual([
      'queued',
      'sent',
      'read',
      'whatsapp.messages',
    ]);
  });

  it('has a try in place of “sending”, and “sending” while its try has not ended', () => {
    const timeline = [queued, entry('sending', '07.010'), entry('sending', '08.000')];
    expect(shown({ timeline, attempts: [attempt(1, '07.011')] })).toEqual([
      'queued',
      'try 1',
      'sending',
    ]);
    expect(shown({ timeline: timeline.slice(0, 2) })).toEqual(['queued', 'sending']);
  });

  it('has one line for each try, also where the message waited for the next one', () => {
    const back: TimelineEntry = { ...entry('queued', '07.030'), source: 'platform' };
    const timeline = [
      queued,
      entry('sending', '07.010'),
      back,
      entry('sending', '40.000'),
      { ...back, at: at('40.050') },
    ];
    const attempts = [attempt(1, '07.011'), attempt(2, '40.001')];
    expect(shown({ timeline, attempts })).toEqual(['queued', 'try 1', 'try 2']);
    // A try that is not known says nothing.
    expect(shown({ timeline: timeline.slice(0, 3) })).toEqual(['queued', 'sending', 'queued']);
  });

  it('says when an event arrived that took longer than its line tells', () => {
    const took = (status: Delivery['status'], finished: string | null) =>
      deliveredWords({ status, created_at: at('32.408'), finished_at: finished });
    expect(took('succeeded', at('51.408'))).toBe(
      `delivered ${clockTime(at('51.408'))}, after 19 s`,
    );
    expect(took('failed', at('51.408'))).toMatch(/^failed .*, after 19 s$/);
    expect(took('succeeded', at('32.440'))).toBeNull();
    expect(took('retrying', null)).toBeNull();
  });

  it('has each answer once, with its delivery to each endpoint', () => {
    const answer = delivery('message.received', '08.000', { summary: 'Yes' });
    expect(shown({ deliveries: [{ ...answer, id: 'other endpoint' }, answer] })).toEqual([
      '“Yes”',
      'message.received',
      'message.received',
    ]);
  });

  it('names an answer without words', () => {
    expect(shown({ deliveries: [delivery('message.received', '08.000')] })[0]).toBe(
      'By the recipient',
    );
  });

  it('says who noticed a status', () => {
    expect(timelineLines({ timeline: [queued], attempts: [], deliveries: [] })).toEqual([
      {
        kind: 'status',
        status: 'queued',
        at: queued.at,
        text: 'Picked up by a worker',
        isAcceptance: false,
        gapMs: null,
      },
    ]);
  });
});
