import { Baseline1798000000000 } from './1798000000000-baseline.js';
import { ScheduledMessages1798000003000 } from './1798000003000-scheduled-messages.js';

/** All of them, in the order in which they run. */
export const migrations = [Baseline1798000000000, ScheduledMessages1798000003000];
