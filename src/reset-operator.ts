import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DataSource } from 'typeorm';
import { Config, ConfigError } from './config/config.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { openDatabase } from './database/opening/open-database.js';
import { entities } from './entities.js';
import { start } from './process.js';
import type { Run } from './start/banner.js';
import { onOwnDatabase } from './start/postgres/own-database.js';
import { resetAddress } from './users/reset-links.js';
import { type ResetOperator, resetOperator } from './users/reset-operator.js';

const usage = `npm run reset-operator [-- EMAIL]

Lets an operator in who has lost the password, the authenticator or both. It prints a link to a new password, removes
the second factor and ends the operator's sessions. EMAIL is needed only where there are several operators.
`;

/** npm run reset-operator: the way back for an operator whom no other operator can help. */
start(async () => {
  const [email = null, ...more] = process.argv.slice(2);
  if (email === '--help' || email === '-h') {
    process.stdout.write(usage);
    return;
  }
  if (more.length > 0 || email?.startsWith('-')) throw new ConfigError(usage.trim());
  if (process.env.DATABASE_URL) {
    const config = new Config(process.env);
    say(await reset(config.databaseUrl, email), config.apiUrl);
  } else {
    const folder = resolve(process.env.DATA_DIR || '.parley');
    await onOwnDatabase(folder, { whileParleyRuns: true }, async (databaseUrl) => {
      say(await reset(databaseUrl, email), addressUnder(folder));
    });
  }
});

async function reset(databaseUrl: string, email: string | null): Promise<ResetOperator> {
  const dataSource = await openDatabase(new DataSource(dataSourceOptions(databaseUrl, entities)));
  try {
    return await dataSource.transaction((manager) => resetOperator(manager, email));
  } finally {
    await dataSource.destroy();
  }
}

function say({ email, token, expiresAt }: ResetOperator, address: string): void {
  process.stdout.write(
    `${email} can set a new password until ${expiresAt.toISOString()}, once:\n\n` +
      `  ${resetAddress(address, token)}\n\n` +
      'The second factor is off and all sessions have ended. The link needs a running API.\n',
  );
}

/** Where `npm start` serves the dashboard: as it says while it runs, else at its default. */
function addressUnder(folder: string): string {
  try {
    return (JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as Run).api_url;
  } catch {
    const { PUBLIC_URL: publicUrl, PORT: port } = process.env;
    return publicUrl ? new URL(publicUrl).origin : `http://127.0.0.1:${port || 3000}`;
  }
}
