import { describe, expect, it } from '@jest/globals';
import { factsOf } from './draft-words.ts';
import { type KeyDraft, newDraft } from './key-draft.ts';

const facts = (change: Partial<KeyDraft>) => factsOf({ ...newDraft, ...change });

describe('the settings of a key in short', () => {
  it.each([
    [[], 'From any address'],
    [['10.0.0.1'], 'From 1 address only'],
    [['10.0.0.1', '10.0.0.300', '10.1.0.0/16'], 'From 2 addresses only'],
    [['10.0.0.300'], 'No address yet: none of them is valid'],
  ])('count the addresses that are right: %j', (addresses, words) => {
    expect(facts({ addresses })).toContain(words);
  });

  it.each([
    ['https://hooks.example/x', 'Replies and statuses go to hooks.example'],
    ['ftp://x', 'Replies and statuses are not sent anywhere'],
    ['', 'Replies and statuses are not sent anywhere'],
  ])('name the host that events can go to: %s', (webhookUrl, words) => {
    expect(facts({ webhookUrl })).toContain(words);
  });

  it.each([
    ['', 'Replies and statuses wait in the event feed'],
    ['https://hooks.example/x', 'Replies and statuses go to hooks.example and into the event feed'],
  ])('say that events wait in the feed: %j', (webhookUrl, words) => {
    expect(facts({ webhookUrl, eventFeed: true })).toContain(words);
  });
});
