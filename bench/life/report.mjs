/** The result of `--life` for people. */
export function formatLife(figures) {
  return figures.mode === 'notifications' ? formatNotifications(figures) : formatLives(figures);
}

function formatLives(f) {
  const at = f.rate === null ? `${f.connections} connections` : `${f.rate} sends a second`;
  const lines = [
    `whole lives, store ${f.store}, ${at}`,
    `sends a second: ${f.sends_a_second}; plain sends: ${f.plain_sends_a_second ?? '–'}`,
    `whole lives a second: ${f.lives_a_second}`,
    `processor ms a life:       ${cpu(f.cpu_ms_a_life)}`,
    `processor ms a plain send: ${cpu(f.cpu_ms_a_plain_send)}`,
    `ratio: ${f.ratio ?? '–'}`,
    `lag of webhooks: p50 ${f.lag_p50_ms} ms, p99 ${f.lag_p99_ms} ms; of sent, from the platform's answer: p99 ${f.sent_lag_p99_ms} ms`,
    `last event after the last send: ${f.done_after_ms} ms`,
    `HOT: ${f.hot_updates} of all updates of messages (${f.updates_a_life} a life), ${f.hot_reports ?? '–'} of those for reports`,
    `repeated with a cause: ${f.repeated}`,
    `memory in MiB: ${Object.entries(f.rss_mb)
      .map(([name, mb]) => `${name} ${mb ?? '–'}`)
      .join(', ')}`,
    ...f.statements.map(
      ({ us_a_life, planning_us, calls_a_life, text }) =>
        `${String(us_a_life).padStart(6)} µs a life (${planning_us} planning), ${calls_a_life} calls: ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function formatNotifications(f) {
  return `${[
    `one status each, store ${f.store}, ${f.connections} connections`,
    `taken a second: ${f.notifications_a_second}`,
    `applied a second: ${f.applied_a_second}`,
    `answered after: p50 ${f.p50_ms} ms, p99 ${f.p99_ms} ms`,
    `processor ms each: ${cpu(f.cpu_ms_each)}`,
  ].join('\n')}\n`;
}

const cpu = (figures) =>
  figures === null
    ? '–'
    : Object.entries(figures)
        .map(([name, ms]) => `${name} ${ms}`)
        .join(', ');
