/** A column that holds sealed texts, and the place that each of them is bound to. */
export interface SealedColumn {
  readonly table:
    | 'accounts'
    | 'api_keys'
    | 'installation_secrets'
    | 'request_bodies'
    | 'users'
    | 'webhook_endpoints';
  /** The row's own name, as text. */
  readonly key: 'id' | 'name' | 'request_id';
  readonly column: string;
  /** What comes before the row's name in the place; see `SecretBox`. */
  readonly place: string;
}

/** Every column of the database that is sealed under SECRET_KEY. A test holds it to the schema. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'accounts', key: 'id', column: 'access_token', place: 'accounts.access_token' },
  { table: 'accounts', key: 'id', column: 'app_secret', place: 'accounts.app_secret' },
  { table: 'api_keys', key: 'id', column: 'signing_secret', place: 'api_keys.signing_secret' },
  {
    table: 'api_keys',
    key: 'id',
    column: 'previous_signing_secret',
    place: 'api_keys.signing_secret',
  },
  {
    table: 'api_keys',
    key: 'id',
    column: 'older_signing_secret',
    place: 'api_keys.signing_secret',
  },
  { table: 'webhook_endpoints', key: 'id', column: 'secret', place: 'webhook_endpoints.secret' },
  {
    table: 'webhook_endpoints',
    key: 'id',
    column: 'previous_secret',
    place: 'webhook_endpoints.secret',
  },
  {
    table: 'webhook_endpoints',
    key: 'id',
    column: 'older_secret',
    place: 'webhook_endpoints.secret',
  },
  {
    table: 'webhook_endpoints',
    key: 'id',
    column: 'verify_token',
    place: 'webhook_endpoints.verify_token',
  },
  { table: 'users', key: 'id', column: 'totp_secret', place: 'users.totp_secret' },
  { table: 'installation_secrets', key: 'name', column: 'sealed', place: 'installation_secrets' },
  {
    table: 'request_bodies',
    key: 'request_id',
    column: 'sealed_body',
    place: 'request_bodies.body',
  },
];
