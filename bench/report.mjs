/** The result of a run for people: one row per number of connections, then what it cost. */
export function formatTable(figures) {
  const rows = [
    ['connections', 'sends/s', 'naive', 'ratio', 'p50 ms', 'p99 ms', 'naive p50', 'naive p99'],
    ...Object.entries(figures.connections).map(([count, row]) => [
      count,
      row.sends_per_second,
      row.naive_sends_per_second,
      row.ratio,
      row.p50_ms,
      row.p99_ms,
      row.naive_p50_ms,
      row.naive_p99_ms,
    ]),
  ].map((row) => row.map((cell) => String(cell ?? '–')));
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const table = rows.map((row) => row.map((cell, i) => cell.padStart(widths[i])).join('  '));
  const memory = Object.entries(figures.rss_mb).map(([name, mb]) => `${name} ${mb ?? '–'}`);
  return `${[
    `${figures.type} messages, store ${figures.store}`,
    `processor time per send, with PostgreSQL and Redis: ${figures.cpu_ms_per_send_total ?? '–'} ms, naive ` +
      `${figures.naive_cpu_ms_per_send_total ?? '–'} ms, ratio ${figures.cpu_ratio ?? '–'}`,
    ...table,
    `the simulator alone, p50: ${figures.direct_p50_ms} ms`,
    `of it API and worker: ${figures.cpu_ms_per_send ?? '–'} ms, naive ${figures.naive_cpu_ms_per_send ?? '–'} ms`,
    `memory in MiB: ${memory.join(', ')}`,
    `start to ready: ${figures.ready_ms ?? '–'} ms`,
  ].join('\n')}\n`;
}
