import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { Config, ConfigError } from './config/config.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { migrations } from './database/migrations/index.js';
import { openDatabase } from './database/opening/open-database.js';
import { checkConfiguration, describeProgram } from './doctor/configuration-checks.js';
import {
  checkClock,
  checkDatabase,
  checkMigrations,
  checkOperator,
} from './doctor/database-checks.js';
import { type Finding, reasonOf } from './doctor/finding.js';
import { checkAccounts, checkHandshake, checkNotifications } from './doctor/platform-checks.js';
import { checkRedis } from './doctor/redis-checks.js';
import { checkRestore } from './doctor/restore-checks.js';
import { entities } from './entities.js';
import { start } from './process.js';

/**
 * npm run doctor: one line for each thing that an installation needs. It ends with 1 when something
 * keeps it from working. It changes nothing and only sends queries.
 */
start(async () => {
  const findings = await examine(print);
  const count = (verdict: Finding['verdict']) =>
    findings.filter((finding) => finding.verdict === verdict).length;
  const failures = count('fail');
  process.stdout.write(`${count('ok')} passed, ${count('warn')} warnings, ${failures} to fix\n`);
  process.exitCode = failures > 0 ? 1 : 0;
});

function print({ verdict, subject, text }: Finding): void {
  process.stdout.write(`${verdict.toUpperCase().padEnd(5)} ${subject.padEnd(14)} ${text}\n`);
}

/** @param tell is called with each finding as soon as there is one. */
async function examine(tell: (finding: Finding) => void): Promise<Finding[]> {
  const all: Finding[] = [];
  const add = (findings: Finding[]) => {
    for (const finding of findings) tell(finding);
    all.push(...findings);
  };
  add(describeProgram());
  let config: Config;
  try {
    config = new Config(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    add([{ verdict: 'fail', subject: 'configuration', text: error.message }]);
    return all;
  }
  add(checkConfiguration(config));
  await withDatabase(config, add);
  add(await checkRedis(config.redisUrl));
  add(await checkHandshake(config));
  return all;
}

async function withDatabase(config: Config, add: (findings: Finding[]) => void): Promise<void> {
  const dataSource = new DataSource({
    ...dataSourceOptions(config.databaseUrl, entities),
    migrations,
  });
  try {
    await openDatabase(dataSource);
  } catch (error) {
    const isRefused = error instanceof ConfigError;
    const text = isRefused ? error.message : `it cannot be reached: ${reasonOf(error)}`;
    add([{ verdict: 'fail', subject: 'database', text }]);
    return;
  }
  try {
    add(await checkDatabase(dataSource));
    const found = await checkMigrations(dataSource);
    add(found);
    add(await checkClock(dataSource));
    // The rest needs the tables.
    if (found.some(({ verdict }) => verdict === 'fail')) return;
    add(await checkRestore(dataSource));
    add(await checkOperator(dataSource));
    add(await checkAccounts(config, dataSource));
    add(await checkNotifications(dataSource));
  } finally {
    await dataSource.destroy();
  }
}
