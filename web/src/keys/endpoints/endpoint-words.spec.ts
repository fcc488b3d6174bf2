import { describe, expect, it } from '@jest/globals';
import type { Endpoint, EndpointHealth } from '../../api/types.ts';
import { filterWords, standingOf, successWords, waitingWords } from './endpoint-words.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 25, 12, minutes)).toISOString();

const health = (change: Partial<EndpointHealth> = {}): EndpointHealth => ({
  succeeded: 0,
  failed: 0,
  waiting: 0,
  oldest_waiting_at: null,
  last_success_at: null,
  last_failure: null,
  ...change,
});

const endpoint = (change: Partial<Endpoint> = {}): Endpoint => ({
  id: 'e',
  name: 'crm',
  url: 'https://crm.example/hook',
  format: 'parley',
  events: ['message.received', 'message.status'],
  statuses: null,
  message_types: null,
  scope: 'key',
  max_in_flight: 64,
  health: health(),
  disabled_at: null,
  disabled_reason: null,
  created_at: at(0),
  updated_at: at(0),
  ...change,
});

const failure = (minutes: number) => ({ at: at(minutes), error: 'http_500', status_code: 500 });

describe('how an endpoint is', () => {
  it.each([
    ['off', { disabled_at: at(1), health: health({ last_success_at: at(2) }) }],
    ['failing', { health: health({ last_failure: failure(1) }) }],
    ['failing', { health: health({ last_failure: failure(2), last_success_at: at(1) }) }],
    ['working', { health: health({ last_failure: failure(1), last_success_at: at(2) }) }],
    [null, {}],
  ])('is %s', (standing, change) => {
    expect(standingOf(endpoint(change))).toBe(standing);
  });

  it.each([
    [{}, 'No deliveries'],
    [{ waiting: 2 }, 'None is finished'],
    [{ succeeded: 1_200 }, '100 % of 1,200 succeeded'],
    [{ failed: 3 }, '0 % of 3 succeeded, 3 failed'],
    [{ succeeded: 3, failed: 1 }, '75.0 % of 4 succeeded, 1 failed'],
  ])('says how many deliveries succeeded: %j', (counts, words) => {
    expect(successWords(health(counts))).toBe(words);
  });

  it.each([
    [{}, null],
    [{ waiting: 1 }, '1 event, due later'],
    [{ waiting: 3, oldest_waiting_at: at(0) }, '3 events, the oldest for 5 min 0 s'],
    [{ waiting: 1, oldest_waiting_at: at(6) }, '1 event, the oldest for 0 ms'],
  ])('says since when events wait: %j', (counts, words) => {
    expect(waitingWords(health(counts), Date.parse(at(5)))).toBe(words);
  });
});

describe('what an endpoint gets', () => {
  it('needs no words where it has no filter', () => {
    expect(filterWords(endpoint())).toEqual([]);
  });

  it('is named, as far as its events have it', () => {
    const filtered = endpoint({
      statuses: ['failed'],
      message_types: ['text', 'image'],
      scope: 'account',
      max_in_flight: 2,
    });
    expect(filterWords(filtered)).toEqual([
      'Only these statuses: failed',
      'Only these types of messages: text, image',
      'Whole account: the events of all its keys of this mode',
      'At most 2 at once',
    ]);
    expect(filterWords({ ...filtered, events: ['message.status'] })).not.toContain(
      'Only these types of messages: text, image',
    );
  });
});
