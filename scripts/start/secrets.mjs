import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey } from './api-key.mjs';
import { StartError } from './console.mjs';
import { writePrivateFile } from './private-file.mjs';

const fresh = {
  secret_key: () => randomBytes(32).toString('base64'),
  admin_password: () => randomBytes(15).toString('base64url'),
  api_key: createApiKey,
  platform_verify_token: () => randomBytes(24).toString('base64url'),
  simulator_app_secret: () => randomBytes(16).toString('hex'),
  simulator_access_token: () => `EAAP${randomBytes(48).toString('hex')}`,
  postgres_password: () => randomBytes(24).toString('base64url'),
};

/**
 * The secrets of one data folder, made at its first start and never changed. They are in
 * `secrets.json`, readable by its owner only.
 *
 * @throws StartError when the file is there and cannot be read: new secrets would lock the data away.
 */
export function loadSecrets(dataDirectory) {
  const path = join(dataDirectory, 'secrets.json');
  const stored = read(path);
  const missing = Object.keys(fresh).filter((name) => !stored[name]);
  const secrets = {
    ...stored,
    ...Object.fromEntries(missing.map((name) => [name, fresh[name]()])),
  };
  if (missing.length > 0) save(path, secrets);
  return secrets;
}

/**
 * Keeps the first operator's e-mail and password as they were used. Later values of ADMIN_EMAIL and
 * ADMIN_PASSWORD change no user, so we must show the ones from then.
 */
export function rememberOperator(dataDirectory, { email, password }) {
  const path = join(dataDirectory, 'secrets.json');
  const stored = read(path);
  if (!stored.operator) save(path, { ...stored, operator: { email, password } });
}

function read(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw new StartError(`${path} cannot be read (${error.code}).`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError(
      `${path} is damaged. It holds the key to the stored data: bring it back from a backup, or remove the data folder to start from scratch.`,
    );
  }
}

function save(path, secrets) {
  writePrivateFile(path, `${JSON.stringify(secrets, null, 2)}\n`);
}
