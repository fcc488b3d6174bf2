import { describe, expect, it } from '@jest/globals';
import type { Endpoint, EndpointHealth } from '../../api/types.ts';
import { filterWords, lostWords } from './endpoint-words.ts';

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

describe('what the question before the end of an endpoint says', () => {
  it.each([
    [0, 'No event waits for it.'],
    [1, '1 event waits for it and will not be delivered.'],
    [281, '281 events wait for it and will not be delivered.'],
    [10_000, '10,000 events or more wait for it and will not be delivered.'],
  ])('where %i events wait: %s', (waiting, words) => {
    expect(lostWords([endpoint({ health: health({ waiting }) })], 'it')).toBe(words);
  });
});
