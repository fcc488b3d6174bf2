import type { Stack } from '../support/stack.js';

/** What calls may change. Sessions, counters and the log have rules of their own. */
const tables = [
  'accounts',
  'api_keys',
  'users',
  'templates',
  'template_mappings',
  'messages',
  'scheduled_messages',
  'idempotency_keys',
  'open_events',
  'done_events',
  'platform_notifications',
  'alerts',
] as const;

/** How many rows each table has. */
export async function countRows(stack: Stack): Promise<Record<(typeof tables)[number], number>> {
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  const [row] = await stack.sql(`select ${counts.join(', ')}`);
  return row;
}

/** One digest of which transactions wrote the rows that the dashboard governs: any write changes it. */
export async function writtenRows(stack: Stack): Promise<string> {
  const governed = ['accounts', 'api_keys', 'users', 'templates', 'template_mappings', 'alerts'];
  const digests = governed.map(
    (table) => `(select md5(string_agg(xmin::text, ',' order by ctid)) from ${table}) as ${table}`,
  );
  const [row] = await stack.sql(`select ${digests.join(', ')}`);
  return JSON.stringify(row);
}
