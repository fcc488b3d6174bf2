import { family, statement } from './statements/statement.js';

const expiringTables = [
  'attempt_counters',
  'campaign_replays',
  'idempotency_keys',
  'inbound_media',
  'notification_keys',
  'replay_marks',
  'request_bodies',
  'template_lookups',
] as const;

export type ExpiringTable = (typeof expiringTables)[number];

/** Rows of a table that are deleted. */
export interface EndedRows {
  readonly table: string;
  readonly condition: string;
}

export const isExpired = 'expires_at <= now()';

export const isExpiredForMonth = `expires_at <= now() - interval '30 days'`;

const isOlder = (time: string, days: number) => `${time} < now() - make_interval(days => ${days})`;

/** Rows older than the retention of tables without monthly partitions. */
export const oldRows = (retentionDays: number): EndedRows[] => [
  { table: 'open_events', condition: isOlder('created_at', retentionDays) },
  {
    table: 'contacts',
    condition: `${isOlder('active_at', retentionDays)} and not exists (
      select from contact_consents where contact_id = contacts.id or contact_id = contacts.merged_into)`,
  },
  {
    table: 'number_forms',
    condition: `${isOlder('learnt_at', retentionDays)} and not exists (
      select from contacts c where c.account_id = number_forms.account_id and c.mode = number_forms.mode
        and c.phone in (number_forms.phone, number_forms.form))`,
  },
  // What became of a campaign outlives its messages.
  {
    table: 'campaigns',
    condition: `${isOlder('coalesce(ended_at, created_at)', 2 * retentionDays)}
      and status in ('draft', 'completed', 'cancelled')`,
  },
];

/** Old rows of a table with monthly partitions that are in none of them. */
export const lateRows = (table: string, retentionDays: number): EndedRows => ({
  table: `${table}_other`,
  condition: `id < first_id_of(now() - make_interval(days => ${retentionDays}))`,
});

export const deleteRows = family({
  name: 'delete-rows',
  params: { limit: 'int8' },
  text: ({ table, condition }: EndedRows) => `
  delete from ${table} where ctid = any (array(
    select ctid from ${table} where ${condition} limit :limit for update skip locked))`,
  examples: [
    ...expiringTables.map((table) => ({ table, condition: isExpired })),
    { table: 'uploads', condition: isExpiredForMonth },
    ...oldRows(1),
    lateRows('messages', 1),
  ],
});

export const ensurePartitions = statement({
  name: 'ensure-partitions',
  params: { monthsAhead: 'int4' },
  columns: { ensure_partitions: 'void' },
  text: 'select ensure_partitions(:monthsAhead)',
});

export const dropOldPartitions = statement({
  name: 'drop-old-partitions',
  params: { retentionDays: 'int4' },
  columns: { drop_old_partitions: 'int4' },
  text: 'select drop_old_partitions(:retentionDays)',
});

export const listGrowingTables = statement({
  name: 'list-growing-tables',
  columns: { name: 'text' },
  text: 'select unnest(growing_tables()) as name',
});
