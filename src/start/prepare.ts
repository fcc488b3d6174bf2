import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { StartError } from './console.js';
import type { ChildEnvironment } from './environment.js';
import { runNode } from './node-process.js';
import { writePrivateFile } from './private-file.js';
import type { Operator, Secrets } from './secrets.js';

interface Context {
  root: string;
  env: ChildEnvironment;
  signal: AbortSignal;
}

/**
 * Reads the environment as every process does, before anything has been started.
 * @throws StartError with the line about the first value that is wrong.
 */
export async function readValues(env: ChildEnvironment): Promise<Config> {
  const { Config: Values, ConfigError } = await import('../config/config.js');
  try {
    return new Values(env);
  } catch (error) {
    throw error instanceof ConfigError ? new StartError(error.message) : error;
  }
}

/** Brings the database to the schema of this build. @throws StartError with its last lines. */
export async function migrate(context: Context): Promise<void> {
  await runNode({ ...programOf(context), name: 'The migration', script: 'dist/src/migrate.js' });
}

/**
 * Makes the first operator, the demo account and its key, when they are missing.
 *
 * @param input from `setUpInput`.
 * @returns the demo account's id.
 * @throws StartError with its last lines.
 */
export async function setUp(context: Context, input: string): Promise<string> {
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
export function setUpInput(env: ChildEnvironment, operator: Operator, secrets: Secrets): string {
  return JSON.stringify({
    admin_email: operator.email,
    admin_password: operator.password,
    api_key: secrets.api_key,
    event_feed: true,
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
  private readonly path: string;
  private readonly of: string;

  /** @param facts everything that the preparation depends on, as texts. */
  constructor(dataDirectory: string, facts: readonly string[]) {
    this.path = join(dataDirectory, 'prepared.json');
    this.of = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  }

  /**
   * The account's id if the preparation was done before, else undefined. The record is removed until
   * `keep` is called, so after a failed start the next one prepares everything again.
   */
  takePrepared(): string | undefined {
    try {
      const { of, account_id: accountId } = JSON.parse(readFileSync(this.path, 'utf8')) as {
        of?: string;
        account_id?: string;
      };
      return of === this.of ? accountId : undefined;
    } catch {
      return undefined;
    } finally {
      rmSync(this.path, { force: true });
    }
  }

  keep(accountId: string): void {
    writePrivateFile(this.path, `${JSON.stringify({ of: this.of, account_id: accountId })}\n`);
  }
}

function programOf({ root, env, signal }: Context) {
  return { root, env, signal, logPath: join(env.DATA_DIR, 'logs', 'seed.log') };
}

/** The set-up logs as every process does; its answer is the last line that names an account. */
function findAccountId(output: string): string | undefined {
  for (const line of output.trim().split('\n').toReversed()) {
    try {
      const { account_id: accountId } = JSON.parse(line) as { account_id?: string };
      if (accountId) return accountId;
    } catch {
      // The line is not JSON, so it is not the answer.
    }
  }
  return undefined;
}
