import { Baseline1798000000000 } from './1798000000000-baseline.js';

/** All of them, in the order in which they run. */
export const migrations = [Baseline1798000000000];
