/** How many rows of messages were updated so far, and how many of them without new index entries (HOT). */
export async function readHeapUpdates(client) {
  const { rows } = await client.query(
    `select coalesce(sum(s.n_tup_upd), 0)::float8 as all, coalesce(sum(s.n_tup_hot_upd), 0)::float8 as hot
     from pg_stat_user_tables s
     where s.relid = 'messages'::regclass
       or s.relid in (select inhrelid from pg_inherits where inhparent = 'messages'::regclass)`,
  );
  return rows[0];
}

/** Calls of each statement so far, and the milliseconds that planning and running them took. */
export async function readStatements(client) {
  const { rows } = await client.query(
    `select query, sum(calls)::float8 as calls, sum(total_plan_time) as plan, sum(total_exec_time) as exec
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
     group by query`,
  );
  return Object.fromEntries(
    rows.map(({ query, calls, plan, exec }) => [query, { calls, planMs: plan, execMs: exec }]),
  );
}

/** Subtracts numbers in nested objects; what was not there before counts from 0. */
export function subtract(after, before) {
  if (typeof after === 'number') return after - (before ?? 0);
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, subtract(value, before?.[name])]),
  );
}
