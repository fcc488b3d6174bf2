/** Statements that remove what the previous version reads or writes, or that lock a large table for long. */
const breaking: readonly RegExp[] = [
  /\bdrop\s+(table|column|view|function)\b/i,
  // A check may be widened: the same statement adds it again.
  /\bdrop\s+constraint\b(?!\s+(\w+)\s*,\s*add\s+constraint\s+\1\s+check\b)/i,
  /\brename\s+(to|column|constraint)\b/i,
  /\bset\s+not\s+null\b/i,
  /\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/i,
  /\b(truncate|vacuum|cluster|reindex|lock\s+table)\b/i,
  // A constraint that is `not valid` is checked for new rows; `validate constraint` reads the others without a lock.
  /\badd\s+constraint\b(?!([^;`]*?\bnot\s+valid\b)|([^;`]*?\busing\s+index\b))/i,
];

/** What a new column may not have: no value for the old version's rows, or one that writes each row anew. */
const breakingColumn = [
  /\bnot\s+null\b(?![^]*\bdefault\b)(?<!\bdefault\b[^]*)/i,
  /\b(\w*serial|generated)\b/i,
  /\bdefault\b[^]*\b(\w*random\w*|uuid\w*|new_id|clock_timestamp|nextval)\s*\(/i,
  /\b(primary\s+key|unique|references)\b/i,
];

/** What a migration, given as its SQL, does to the previous version beside it; undefined: nothing. */
export function findBreaking(sql: string): string | undefined {
  for (const rule of breaking) {
    const found = rule.exec(sql);
    if (found) return found[0];
  }
  for (const [column] of sql.matchAll(/\badd\s+column\b[^;`]*?(?=,\s*(?:add|alter)\b|[;`]|$)/gi)) {
    if (breakingColumn.some((rule) => rule.test(column))) return column;
  }
  const newTables = [
    ...sql.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi),
  ];
  for (const [index, table] of sql.matchAll(
    /\bcreate\s+(?:unique\s+)?index\b[^;`]*?\bon\s+(?:only\s+)?(\w+)/gi,
  )) {
    // By hand, an interrupted build leaves a broken index, and partitions have none: buildIndex knows both.
    if (!newTables.some(([, name]) => name === table)) return `${index}: use buildIndex`;
  }
  const changed = [...sql.matchAll(/\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/gi)]
    .map(([, table]) => table)
    .filter((table) => !newTables.some(([, name]) => name === table));
  // While it waits for the lock of the second, it holds the one of the first.
  if (new Set(changed).size > 1) return `it changes ${changed.join(' and ')}: one each`;
  return undefined;
}
