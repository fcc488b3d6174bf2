import { randomInt } from 'node:crypto';
import { permissions } from '../../src/access/permissions.js';
import { createApiKey, digestOfApiKey, displayOfApiKey } from '../../src/api-keys/api-key-token.js';
import { newId } from '../../src/database/ids.js';
import { SecretBox } from '../../src/secrets/secret-box.js';

/** What the databases of a test have from the start; see `services.mjs`. */
export interface Installation {
  readonly secretKey: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
  readonly appSecret: string;
  readonly accessToken: string;
  /** New ones in each file of tests, so that nothing a standing process remembers belongs to another file. */
  readonly accountId: string;
  /** A live key with all permissions and generous limits. */
  readonly apiKey: string;
}

export const installation = {
  ...(JSON.parse(process.env.PARLEY_TEST_INSTALLATION ?? '{}') as object),
  accountId: newId(),
  apiKey: createApiKey('live'),
} as Installation;

/** Something that runs SQL on a database. */
export interface Sql {
  sql<Row = any>(text: string, values?: unknown[]): Promise<Row[]>;
}

export const secretBox = () => new SecretBox([Buffer.from(installation.secretKey, 'base64')]);

/** The digest under which a database keeps an API key. */
export async function digestIn(database: Sql, apiKey: string): Promise<Buffer> {
  const [pepper] = await database.sql<{ sealed: string }>(
    `select sealed from installation_secrets where name = 'api_key_pepper'`,
  );
  const place = 'installation_secrets.api_key_pepper';
  return digestOfApiKey(
    apiKey,
    Buffer.from(secretBox().open(pepper?.sealed ?? '', place), 'base64'),
  );
}

/** Puts the account and the API key of the installation into a database that has an operator only. */
export async function putInstallation(database: Sql): Promise<void> {
  const { accountId, apiKey, accessToken, appSecret } = installation;
  const secrets = secretBox();
  const keyId = newId();
  await database.sql(
    `insert into accounts (id, name, phone_number_id, business_account_id, display_phone_number,
       access_token, app_secret, active, messages_per_second, version)
     values ($1, 'Demo', '100000000000001', '200000000000001', '+15550783881', $2, $3, true, null, $4)`,
    [
      accountId,
      secrets.seal(accessToken, `accounts.access_token.${accountId}`),
      secrets.seal(appSecret, `accounts.app_secret.${accountId}`),
      // Another one each time: processes compare the sum of versions to learn whether accounts have changed.
      randomInt(1, 1_000_000_000),
    ],
  );
  await database.sql(
    `with key as (
       insert into api_keys (id, account_id, name, description, mode, digest, display, permissions,
         rate_limit_per_minute, daily_limit, signing_secret)
       values ($1, $2, 'demo', 'Made by npm start', 'live', $3, $4, $5, 1000000, 10000000, $6)
       returning *
     )
     insert into webhook_endpoints (id, api_key_id, account_id, mode, name, secret)
     select id, id, account_id, mode, 'default', $7 from key`,
    [
      keyId,
      accountId,
      await digestIn(database, apiKey),
      displayOfApiKey(apiKey),
      permissions,
      secrets.seal('sgsec_of-the-tests', `api_keys.signing_secret.${keyId}`),
      secrets.seal('whsec_b2YtdGhlLXRlc3Rz', `webhook_endpoints.secret.${keyId}`),
    ],
  );
}

/** What carries queues, quotas and hints. */
export type Store = 'postgres' | 'redis';

const there: Store[] = process.env.PARLEY_TEST_REDIS === '1' ? ['postgres', 'redis'] : ['postgres'];

/**
 * The stores to test: those of the jest project (see jest.config.js) that this machine has; `npm test` says what is left
 * out.
 */
export const stores: Store[] = there.filter(
  (store) => (globalThis as { storesOfProject?: Store[] }).storesOfProject?.includes(store) ?? true,
);
