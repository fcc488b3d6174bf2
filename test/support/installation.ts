/** What all databases cloned from `seeded` hold; see `services.mjs`. */
export interface Installation {
  secretKey: string;
  adminEmail: string;
  adminPassword: string;
  /** A live key with all permissions and generous limits. */
  apiKey: string;
  accountId: string;
  appSecret: string;
}

export const installation = JSON.parse(
  process.env.PARLEY_TEST_INSTALLATION ?? '{}',
) as Installation;

/** What carries queues, quotas and hints. */
export type Store = 'postgres' | 'redis';

/** The stores that this machine can test; `npm test` says what is left out. */
export const stores: Store[] =
  process.env.PARLEY_TEST_REDIS === '1' ? ['postgres', 'redis'] : ['postgres'];
