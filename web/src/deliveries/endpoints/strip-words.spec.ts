import { describe, expect, it } from '@jest/globals';
import type { ListedEndpoint } from '../../api/types.ts';
import { momentText } from '../../parts/times.ts';
import { missedNothing, nextTryWords, recoveryWords, standingWords } from './recovery-words.ts';
import {
  calledName,
  foldedTo,
  inPlace,
  isUnused,
  missedWords,
  namedLike,
  rateWords,
  sampleWords,
  shortAddress,
  waitingWords,
} from './strip-words.ts';

const endpoint = (change: Partial<ListedEndpoint> = {}) =>
  ({
    endpoint_id: 'e',
    endpoint_name: 'Stock',
    api_key_name: 'orders',
    health: 'healthy',
    finished: 0,
    succeeded: 0,
    retrying: 0,
    waiting: 0,
    last_success_at: null,
    missed: 0,
    missed_is_exact: true,
    ...change,
  }) as ListedEndpoint;

describe('an endpoint of the strip', () => {
  it.each([
    [0, 0, null],
    [1, 0, '1 event waits'],
    [280, 1, '281 events wait'],
    [9_000, 1_000, '10,000 events or more wait'],
  ])('with %i events to try again and %i new ones: %s', (retrying, waiting, words) => {
    expect(waitingWords(endpoint({ retrying, waiting }))).toBe(words);
  });

  it.each([
    ['https://crm.example/hooks/wa', 'crm.example/hooks/wa'],
    ['http://127.0.0.1:9100/', '127.0.0.1:9100'],
    ['https://crm.example/hook?token=secret', 'crm.example/hook'],
    ['https://crm.example/api/v2/integrations/whatsapp/events', 'crm.example/…/events'],
    [`https://crm.example/${'x'.repeat(60)}`, `crm.example/${'x'.repeat(60)}`],
    ['nonsense', 'nonsense'],
  ])('has the address %s as %s', (url, short) => {
    expect(shortAddress(url)).toBe(short);
  });

  it.each([
    ['Stock', 'Stock'],
    ['default', 'orders'],
  ])('is called by its key unless it has a name: %s', (endpoint_name, name) => {
    expect(calledName(endpoint({ endpoint_name }))).toBe(name);
  });

  it.each([
    [{}, true],
    [{ finished: 1 }, false],
    [{ last_success_at: '2026-11-25T12:00:00.000Z' }, false],
    [{ health: 'failing' as const }, false],
  ])('is unused while nothing is known of it: %j', (change, unused) => {
    expect(isUnused(endpoint(change))).toBe(unused);
  });

  it.each([
    [{}, 'No deliveries'],
    [{ finished: 1_000, succeeded: 1_000 }, '100 % of 1,000'],
    [{ finished: 1_000, succeeded: 984 }, '98.4 % of 1,000'],
    [{ finished: 3 }, '0 % of 3'],
    [{ finished: 65, succeeded: 65, retrying: 35 }, '65.0 % of 100'],
    [{ retrying: 2 }, '0 % of 2'],
  ])('says how many deliveries succeeded: %j', (counts, words) => {
    expect(rateWords(endpoint(counts))).toBe(words);
  });

  it('says that the share counts what is tried again besides the newest 1,000', () => {
    const counts = { finished: 1_000, succeeded: 322, retrying: 546, waiting: 7 };
    expect(rateWords(endpoint(counts))).toBe('20.8 % of 1,546');
    expect(sampleWords).toMatch(/newest 1,000 .* that are done, and what is tried again$/);
  });

  it.each([
    [{}, null],
    [{ missed: 1 }, '1 event'],
    [{ missed: 10_000, missed_is_exact: false }, '10,000 events or more'],
  ])('says what it missed: %j', (counts, words) => {
    expect(missedWords(endpoint(counts))).toBe(words);
  });

  it.each([
    [{}, undefined],
    [{ missed: 2 }, 'Recover 2 events of “Stock”?'],
    [{ health: 'disabled' as const }, 'Enable “Stock”?'],
    [{ health: 'disabled' as const, missed: 2 }, 'Enable “Stock” and recover 2 events?'],
  ])('asks before it is enabled or recovered: %j', (change, title) => {
    expect(recoveryWords(endpoint(change))?.title).toBe(title);
  });

  it('says since when it has failed, and what it missed', () => {
    const since = '2026-11-29T09:12:00.000Z';
    expect(standingWords(endpoint({ since, missed: 20, missed_since: since }))).toBe(
      `It has failed since ${momentText(since)}. It missed 20 events since ${momentText(since)}.`,
    );
    expect(standingWords(endpoint({ since: null, missed_since: since }))).toBe(
      `It missed nothing since ${momentText(since)}.`,
    );
    expect(standingWords(endpoint({ since: null, missed_since: since, retrying: 1 }))).toBe(
      `No event has failed for good since ${momentText(since)}.`,
    );
  });

  it.each([
    [0, 0, null],
    [1, 0, '1 event still waits for its next try.'],
    [60, 8, '68 events still wait for their next try.'],
    [10_000, 0, '10,000 events or more still wait for their next try.'],
  ])('with %i events to try again and %i new ones says: %s', (retrying, waiting, words) => {
    expect(nextTryWords(endpoint({ retrying, waiting }))).toBe(words);
  });

  it.each([
    [{}, '2026-11-29T09:12:00.000Z', true],
    [{}, '2026-11-29T09:11:00.000Z', false],
    [{ missed: 1 }, '2026-11-29T09:12:00.000Z', false],
    [{ missed_is_exact: false }, '2026-11-29T09:12:00.000Z', false],
  ])('knows whether it missed nothing: %j since %s', (change, since, isNothing) => {
    const missed_since = '2026-11-29T09:12:34.567Z';
    expect(missedNothing(endpoint({ missed_since, ...change }), since)).toBe(isNothing);
  });
});

describe('a strip that is folded', () => {
  it('has the first endpoints, and the chosen one', () => {
    const all = ['a', 'b', 'c', 'd'].map((endpoint_id) => endpoint({ endpoint_id }));
    const idsOf = (chosen?: string) =>
      foldedTo(all, 2, chosen).map(({ endpoint_id }) => endpoint_id);
    expect(idsOf()).toEqual(['a', 'b']);
    expect(idsOf('b')).toEqual(['a', 'b']);
    expect(idsOf('d')).toEqual(['a', 'b', 'd']);
  });
});

describe('the tiles of the strip', () => {
  it('stay where they are when their states change, and new ones follow', () => {
    const [failing, other, added] = ['f', 'o', 'n'].map((id) => endpoint({ endpoint_id: id }));
    const order = (endpoints: unknown[], places: string[]) =>
      inPlace(endpoints as ListedEndpoint[], places).map(({ endpoint_id: id }) => id);
    expect(order([failing, other], [])).toEqual(['f', 'o']);
    expect(order([added, other, failing], ['f', 'o'])).toEqual(['f', 'o', 'n']);
    expect(order([other], ['f', 'o'])).toEqual(['o']);
  });
});

describe('an endpoint that a text may mean', () => {
  const found = (text: string) =>
    namedLike(
      [
        { endpoint_name: 'Warehouse', api_key_name: 'orders' },
        { endpoint_name: 'default', api_key_name: 'Ware-API' },
        { endpoint_name: 'Ledger', api_key_name: 'Ware-API' },
      ],
      text,
    ).map(({ endpoint_name: name }) => name);

  it.each([
    ['Warehouse', ['Warehouse']],
    [' ware', ['Warehouse', 'default']],
    ['house', []],
    ['', []],
    ['default', []],
  ])('is one whose name begins with “%s”: %j', (text, names) => {
    expect(found(text)).toEqual(names);
  });
});
