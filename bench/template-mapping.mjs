import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

const waitMs = 60_000;

/**
 * Gives every API key a mapping for a template. The worker reads the simulator's templates by itself, those of new
 * accounts within seconds; until then there is nothing to map.
 */
export async function mapTemplate(databaseUrl, { name, variables }) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const deadline = performance.now() + waitMs;
    for (;;) {
      await client.query(
        `insert into template_mappings (api_key_id, template_id, variables)
         select k.id, t.id, $2
         from templates t join api_keys k on k.account_id = t.account_id and k.mode = t.mode
         where t.name = $1 and t.status = 'APPROVED'
         on conflict do nothing`,
        [name, JSON.stringify(variables)],
      );
      const { rowCount } = await client.query(
        'select from api_keys where id not in (select api_key_id from template_mappings) limit 1',
      );
      if (rowCount === 0) break;
      if (performance.now() > deadline) throw new Error(`the template ${name} was not synced`);
      await pause(100);
    }
    // The keys were not used yet, so no process has the former version.
    await client.query('update accounts set version = version + 1');
  } finally {
    await client.end();
  }
}
