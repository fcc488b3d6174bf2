/** The result of `--life` for people. */
export function formatLife(figures) {
  const lines = figures.mode === 'notifications' ? linesOfNotifications(figures) : linesOf(figures);
  return `${[...lines, ...figures.statements.map(formatStatement)].join('\n')}\n`;
}

function linesOf(f) {
  const load = f.rate === null ? '' : `, ${f.rate} sends a second`;
  return [
    `whole lives, store ${f.store}, ${f.connections} connections${load}`,
    `a second: ${f.lives_a_second} lives, ${f.events_a_second} events, ${f.sends_a_second} sends; ${f.plain_sends_a_second ?? '–'} plain sends`,
    `processor ms a life:       ${formatCpu(f.cpu_ms_a_life)}`,
    `processor ms a plain send: ${formatCpu(f.cpu_ms_a_plain_send)}`,
    `  of the other version:    ${formatCpu(f.cpu_ms_a_plain_send_of_other)}`,
    `life ÷ plain send: ${f.ratio ?? '–'}; of the other version: ${f.ratio_to_other ?? '–'}`,
    `a caller waits, p50: ${f.send_p50_ms} ms; in plain sends ${f.plain_send_p50_ms ?? '–'} ms`,
    `webhooks after the report: p50 ${f.lag_p50_ms} ms, p99 ${f.lag_p99_ms} ms`,
    `webhook of sent after the platform took it: p99 ${f.sent_lag_p99_ms} ms`,
    `last event after the last send: ${f.done_after_ms} ms`,
    `updates of messages: ${f.updates_a_life} a life; HOT ${f.hot_updates}, of those for reports ${f.hot_reports ?? '–'}`,
    `events repeated with a cause: ${f.repeated}`,
    `memory in MiB: ${formatFields(f.rss_mb)}`,
  ];
}

function linesOfNotifications(f) {
  return [
    `one status each, store ${f.store}, ${f.connections} connections`,
    `a second: ${f.applied_a_second} applied, ${f.taken_a_second} taken, ${f.arrived_a_second ?? '–'} arrived in WhatsApp's own form`,
    `answered after: p50 ${f.p50_ms} ms, p99 ${f.p99_ms} ms`,
    `processor ms each: ${formatCpu(f.cpu_ms_each)}`,
  ];
}

function formatStatement({ us, planning_us, calls, text }) {
  const short = text.replaceAll(/\s+/g, ' ').slice(0, 140);
  return `${String(us).padStart(8)} µs (planning ${planning_us}), ${calls} calls: ${short}`;
}

const formatCpu = (figures) => (figures === null ? '–' : formatFields(figures));

const formatFields = (fields) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${value ?? '–'}`)
    .join(', ');
