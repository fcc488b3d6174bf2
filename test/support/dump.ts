import { Redis } from 'ioredis';
import type { Stack } from './stack.js';

/** Everything that the database holds, as text: what a thief of a backup sees. */
export async function dumpOf(stack: Stack): Promise<string> {
  const tables = await stack.sql<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const dumps = [];
  for (const { name } of tables) {
    const rows = await stack.sql<{ row: string }>(`select t::text as row from ${name} t`);
    dumps.push(...rows.map(({ row }) => withReadableBytes(row)));
  }
  return dumps.join('\n');
}

/** Bytes are written in hex; a search for a text finds it there, too. */
function withReadableBytes(row: string): string {
  const bytes = [...row.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').toString('latin1'),
  );
  return [row, ...bytes].join(' ');
}

/** Everything that a Redis database holds. */
export async function redisDumpOf(url: string): Promise<string> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('*');
    const values = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
    return [...keys, ...values.map((value) => value?.toString('latin1') ?? '')].join('\n');
  } finally {
    redis.disconnect();
  }
}
