import { IsIn } from 'class-validator';

/** Live keys send to the platform, test keys to the simulator. */
export type Mode = 'live' | 'test';

export const IsMode = () => IsIn(['live', 'test'], { message: 'must be live or test' });
