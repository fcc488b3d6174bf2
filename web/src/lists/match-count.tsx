import { amount } from '../parts/numbers.ts';

/** How many rows of a list match: `1 match`, `25 matches`, or `10,000+ matches` where there may be more. */
export const MatchCount = ({ found }: { found: { total: number; isExact: boolean } }) => (
  <b>
    {amount(found.total)}
    {!found.isExact && '+'} {found.total === 1 ? 'match' : 'matches'}
  </b>
);
