import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './console.mjs';
import { runNode } from './node-process.mjs';
import { writePrivateFile } from './private-file.mjs';

/** Brings the database to the schema of this build. @throws StartError with its last lines. */
export async function migrate(context) {
  await runNode({ ...programOf(context), name: 'The migration', script: 'dist/src/migrate.js' });
}

/**
 * Makes the first operator, the demo account and its key, when they are missing.
 *
 * @param input from `setUpInput`.
 * @returns the demo account's id.
 * @throws StartError with its last lines.
 */
export async function setUp(context, input) {
  const program = programOf(context);
  const output = await runNode({
    ...program,
    name: 'The set-up',
    script: 'dist/src/seed.js',
    input,
  });
  const accountId = findAccountId(output);
  if (!accountId) throw new StartError(`The set-up named no account. See ${program.logPath}`);
  return accountId;
}

/** What the set-up program reads from its standard input. */
export function setUpInput({ env, operator, secrets }) {
  return JSON.stringify({
    admin_email: operator.email,
    admin_password: operator.password,
    api_key: secrets.api_key,
    simulator: {
      app_secret: env.SIMULATOR_APP_SECRET,
      access_token: secrets.simulator_access_token,
    },
    // The simulator takes webhooks too, so that the first reply arrives somewhere.
    ...(env.WEBHOOK_ALLOW_PRIVATE === 'true' && {
      webhook_url: `${env.SIMULATOR_URL}/_simulator/receiver`,
    }),
  });
}

/**
 * Remembers that this build has prepared this database, so that the next start can leave out both
 * programs: they take longer than the rest of it.
 */
export class Preparation {
  #path;
  #of;

  /** @param facts everything that the preparation depends on, as texts. */
  constructor(dataDirectory, facts) {
    this.#path = join(dataDirectory, 'prepared.json');
    this.#of = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  }

  /**
   * The account's id if the preparation was done before, else undefined. The record is removed until
   * `keep` is called, so after a failed start the next one prepares everything again.
   */
  take() {
    try {
      const { of, account_id: accountId } = JSON.parse(readFileSync(this.#path, 'utf8'));
      return of === this.#of ? accountId : undefined;
    } catch {
      return undefined;
    } finally {
      rmSync(this.#path, { force: true });
    }
  }

  keep(accountId) {
    writePrivateFile(this.#path, `${JSON.stringify({ of: this.#of, account_id: accountId })}\n`);
  }
}

function programOf({ root, env, signal }) {
  return { root, env, signal, logPath: join(env.DATA_DIR, 'logs', 'seed.log') };
}

/** The set-up logs as every process does; its answer is the last line that names an account. */
function findAccountId(output) {
  for (const line of output.trim().split('\n').toReversed()) {
    try {
      const { account_id: accountId } = JSON.parse(line);
      if (accountId) return accountId;
    } catch {
      // Not JSON, so not the answer.
    }
  }
  return undefined;
}
