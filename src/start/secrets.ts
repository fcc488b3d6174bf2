import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey } from '../api-keys/api-key-token.js';
import { codeOf, StartError } from './console.js';
import { writePrivateFile } from './private-file.js';

export interface Operator {
  email: string;
  password: string;
}

const fresh = {
  secret_key: () => randomBytes(32).toString('base64'),
  admin_password: () => randomBytes(15).toString('base64url'),
  api_key: () => createApiKey('live'),
  platform_verify_token: () => randomBytes(24).toString('base64url'),
  simulator_app_secret: () => randomBytes(16).toString('hex'),
  simulator_access_token: () => `EAAP${randomBytes(48).toString('hex')}`,
  postgres_password: () => randomBytes(24).toString('base64url'),
};

export type Secrets = Record<keyof typeof fresh, string> & { operator?: Operator };

/**
 * The secrets of one data folder, made at its first start and never changed. They are in
 * `secrets.json`, readable by its owner only.
 *
 * @throws StartError when the file is there and cannot be read: new secrets would lock the data away.
 */
export function loadSecrets(dataDirectory: string): Secrets {
  const path = join(dataDirectory, 'secrets.json');
  const stored = read(path);
  const missing = Object.entries(fresh).filter(([name]) => !stored[name as keyof typeof fresh]);
  const made = Object.fromEntries(missing.map(([name, make]) => [name, make()]));
  const secrets = { ...stored, ...made } as Secrets;
  if (missing.length > 0) save(path, secrets);
  return secrets;
}

/**
 * Keeps the first operator's e-mail and password as they were used. Later values of ADMIN_EMAIL and
 * ADMIN_PASSWORD change no user, so we must show the ones from then.
 */
export function rememberOperator(dataDirectory: string, { email, password }: Operator): void {
  const path = join(dataDirectory, 'secrets.json');
  const stored = read(path);
  if (!stored.operator) save(path, { ...stored, operator: { email, password } });
}

function read(path: string): Partial<Secrets> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw new StartError(`${path} cannot be read (${codeOf(error)}).`);
  }
  try {
    return JSON.parse(text) as Partial<Secrets>;
  } catch {
    throw new StartError(
      `${path} is damaged. It holds the key to the stored data: bring it back from a backup, or remove the data folder to start from scratch.`,
    );
  }
}

function save(path: string, secrets: Partial<Secrets>): void {
  writePrivateFile(path, `${JSON.stringify(secrets, null, 2)}\n`);
}
