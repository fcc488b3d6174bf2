import { amount } from '../parts/numbers.ts';

/** How many rows of a list match: `25 match`, or `10,000+ match` where there may be more. */
export const MatchCount = ({ found }: { found: { total: number; isExact: boolean } }) => (
  <b>
    {amount(found.total)}
    {!found.isExact && '+'} {found.total === 1 ? 'matches' : 'match'}
  </b>
);
