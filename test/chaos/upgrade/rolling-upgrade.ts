import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { QueryRunner } from 'typeorm';
import { buildIndex } from '../../../src/database/migrations/build-index.js';
import { migrations } from '../../../src/database/migrations/index.js';
import { migrationSource, runMigrations } from '../../../src/database/migrations/run.js';
import { installation } from '../../support/installation.js';
import { checkout } from '../../support/npm-start.js';
import { until } from '../../support/until.js';
import { addMapping, addTemplates } from '../approved-templates.js';
import { CampaignCalls } from '../campaign-calls.js';
import type { ChaosInstallation, FaultContext } from '../installation.js';
import { findMissing } from '../webhook-endpoints.js';

const path = '/F22';

/** Tables that every message and every event goes through. */
const tables = ['messages', 'webhook_endpoints', 'open_events', 'done_events'];

/** A release may have no migration. These are like those that one has: new columns, and indexes of them. */
const addColumns = tables.map(
  (table, index) =>
    class {
      name = `AddsColumn${1_999_000_000_000 + index}`;
      async up(runner: QueryRunner) {
        await runner.query(`alter table ${table} add column note text not null default 'none'`);
      }
      async down() {}
    },
);

class BuildsIndexes1999000000100 {
  name = 'BuildsIndexes1999000000100';
  transaction = false;
  async up(runner: QueryRunner) {
    for (const table of tables) {
      await buildIndex(runner, { name: `${table}_note`, table, definition: '(note, id)' });
    }
  }
  async down() {}
}

/** An upgrade as docs/upgrading.md describes it: migrate, then replace workers, then APIs, one by one. */
export async function upgrade({ chaos, load, phase }: FaultContext): Promise<void> {
  const { api_key, key } = await chaos.operator.newKey({
    webhook_url: chaos.receiver.url(path),
    webhook_events: ['message.status'],
    rate_limit_per_minute: 1_000_000,
  });
  const told = chaos.load('F22-told', { connections: 4, apiKey: key });
  try {
    await chaos.accepts(told, 10);
    const campaign = await startCampaign(chaos);
    if (campaign === null) phase.notes.push('the release has no campaigns');
    else phase.afterwards.push(() => findPaused(chaos, campaign));
    await migrate(chaos.postgres.url);
    await chaos.accepts(load, 50);
    for (const process of [...chaos.stack.workers, ...chaos.stack.apis]) {
      await process.restart(checkout);
      // With the first of its kind, old and new share the work.
      await Promise.all([chaos.accepts(load, 100), chaos.accepts(told, 20)]);
    }
    // So that everything can come to rest.
    if (campaign !== null)
      await new CampaignCalls(chaos, installation.apiKey).steer(campaign, 'cancel');
  } finally {
    phase.sent.push(...(await told.stop()));
  }
  phase.afterwards.push(async () => [
    ...(await findMissing(chaos, path, api_key.id)),
    ...findRepeated(chaos),
  ]);
}

/** A campaign that runs while everything is replaced; null where the release has none. */
async function startCampaign(chaos: ChaosInstallation): Promise<string | null> {
  const [table] = await chaos.postgres.sql(`select 1 where to_regclass('campaigns') is not null`);
  if (!table) return null;
  await addTemplates(chaos);
  await addMapping(chaos);
  const calls = new CampaignCalls(chaos, installation.apiKey);
  const given = { name: 'Upgrade', template_name: 'sale', language: 'en_US', per_second: 5 };
  const { id } = (await calls.surely('POST', '', given)).campaign as { id: string };
  const recipients = Array.from({ length: 1_000 }, (_, index) => ({
    to: `+4934${String(index).padStart(6, '0')}`,
  }));
  await calls.surely('POST', `/${id}/recipients`, { recipients });
  await calls.steer(id, 'start');
  await until(async () => ((await calls.read(id))?.counts.pending ?? 1_000) < 1_000);
  return id;
}

/** Nothing has changed for a campaign, so nothing pauses it. */
async function findPaused(chaos: ChaosInstallation, id: string): Promise<string[]> {
  const rows = await chaos.postgres.sql<{ details: { reason: string } }>(
    `select details from alerts where kind = 'campaign_paused' and subject = $1`,
    [id],
  );
  return rows.map(({ details }) => `I21 an upgrade paused a campaign: ${details.reason}`);
}

/** The new build's `npm run migrate`, then the migrations of this file in the same way. */
async function migrate(databaseUrl: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['dist/src/migrate.js'], {
    cwd: checkout,
    env: { DATABASE_URL: databaseUrl, SECRET_KEY: installation.secretKey },
  });
  const dataSource = migrationSource(
    databaseUrl,
    [],
    [...migrations, ...addColumns, BuildsIndexes1999000000100],
  );
  await dataSource.initialize();
  try {
    await runMigrations(dataSource, { info: () => {}, warn: () => {} } as never);
  } finally {
    await dataSource.destroy();
  }
}

/** A process that is asked to stop finishes what it has in hand, so that nothing is done twice. */
function findRepeated(chaos: ChaosInstallation): string[] {
  const ids = chaos.receiver.at(path).map(({ headers }) => String(headers['webhook-id']));
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  return repeated.map((id) => `I8 ${path}: ${id} came more than once`);
}
