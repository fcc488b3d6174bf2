import { expect, it } from '@jest/globals';
import type { SearchResult } from '../api/types.ts';
import { withModes } from './with-modes.ts';

const found = (
  id: string,
  title: string,
  subtitle: string,
  mode: SearchResult['mode'] = 'live',
): SearchResult => ({
  kind: 'contact',
  id,
  title,
  subtitle,
  mode,
  at: null,
  href: `/dashboard/contacts/${id}`,
});

it('the search says the mode of both where a contact is found twice', () => {
  const results = [
    found('1', 'Maria Lopez', '+15550001 · Contact'),
    found('2', 'Maria Lopez', '+15550001 · Contact · Demo', 'test'),
    found('3', 'Marius', '+15550002 · Contact'),
  ];
  expect(withModes(results).map(({ subtitle }) => subtitle)).toEqual([
    '+15550001 · Contact · live mode',
    '+15550001 · Contact · Demo',
    '+15550002 · Contact',
  ]);
});
