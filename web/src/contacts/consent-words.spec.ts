import { describe, expect, it } from '@jest/globals';
import type { ContactDetails } from '../api/types.ts';
import { endedWords, evidenceParts, presentWords } from './consent-words.ts';

const at = '2026-11-20T10:00:00.000Z';
const time = String.raw`\d\d? Nov 2026, \d\d:\d\d`;

const consentsOf = (evidence: string | null): ContactDetails['consents'] => ({
  contact_id: 'c',
  all: { state: null, since: null, source: null },
  marketing: { state: 'opted_out', since: at, source: 'keyword' },
  history: [
    {
      scope: 'all',
      state: 'opted_in',
      source: 'api',
      evidence: 'of another scope',
      at,
      recorded_at: at,
    },
    { scope: 'marketing', state: 'opted_out', source: 'keyword', evidence, at, recorded_at: at },
  ],
});
const consents = consentsOf('wamid.HBgM: STOP');

describe('the consent of a contact', () => {
  it('is said as it is, before it is changed', () => {
    expect(presentWords(consents, 'all')).toBe('All templates: nothing said');
    expect(presentWords(consents, 'marketing')).toMatch(
      new RegExp(`^Marketing: opted out since ${time}$`),
    );
  });

  it.each([
    ['wamid.HBgM: STOP', ', “STOP”'],
    ['wamid.HBgM', ''],
    [null, ''],
  ])('names the opt-out that an opt-in ends, with its evidence: %s', (evidence, shown) => {
    expect(endedWords(consentsOf(evidence), 'marketing', 'opted_in')).toMatch(
      new RegExp(`^This ends the opt-out of ${time} \\(Keyword in a message${shown}\\)\\.$`),
    );
  });

  it('names no opt-out where an answer ends none', () => {
    expect(endedWords(consents, 'all', 'opted_in')).toBeNull();
    expect(endedWords(consents, 'marketing', 'opted_out')).toBeNull();
  });
});

describe('what proves a consent', () => {
  it.each([
    ['wamid.HBg1: STOP', { id: 'wamid.HBg1', words: 'STOP' }],
    ['wamid.HBg1: STOP: now', { id: 'wamid.HBg1', words: 'STOP: now' }],
    ['wamid.HBg1: ', { id: 'wamid.HBg1', words: '' }],
    ['wamid.HBg1', { id: 'wamid.HBg1', words: '' }],
    ['Asked on the phone', { id: '', words: 'Asked on the phone' }],
  ])('is words apart from the id of a message: %j', (evidence, parts) => {
    expect(evidenceParts(evidence)).toEqual(parts);
  });
});
