import { statement } from '../../database/statements/statement.js';

/** Shows whether accounts have changed; see `AppSecrets.fingerprint`. */
export const accountsFingerprintSql = `select count(*) || ' ' || coalesce(sum(version), 0) from accounts`;

export const readAccountsFingerprint = statement({
  name: 'read-accounts-fingerprint',
  columns: { fingerprint: 'text' },
  text: `select (${accountsFingerprintSql}) as fingerprint`,
});

export const listAppSecrets = statement({
  name: 'list-app-secrets',
  columns: { id: 'uuid', app_secret: 'text', phone_number_id: 'text', business_account_id: 'text' },
  text: 'select id, app_secret, phone_number_id, business_account_id from accounts order by id',
});
