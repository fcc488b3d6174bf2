/** Live keys send to the platform, test keys to the simulator. */
export type Mode = 'live' | 'test';
