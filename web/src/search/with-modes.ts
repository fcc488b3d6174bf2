import type { SearchResult } from '../api/types.ts';

/** Says of a live contact that it is one, where the same contact of test mode is next to it. */
export const withModes = (results: readonly SearchResult[]): readonly SearchResult[] =>
  results.map((result) => {
    const hasTwin = results.some(
      (other) => other.kind === 'contact' && other.mode === 'test' && other.title === result.title,
    );
    return result.kind === 'contact' && hasTwin && result.mode === 'live'
      ? { ...result, subtitle: `${result.subtitle} · live mode` }
      : result;
  });
