import { median, round } from '../figures.mjs';

/** What the product needs; the platform and the receiver are not its own. */
const ownProcesses = ['api', 'worker', 'redis', 'postgres'];
const statementsShown = 15;

/** Milliseconds of each process for one life or send, and of all that the product needs together. */
export function perUnit(cpu, count) {
  const each = Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / count]));
  const total = ownProcesses.reduce((sum, name) => sum + (each[name] ?? 0), 0);
  return { total, ...each };
}

/** All turns as one result; `against` are plain sends of another version. */
export function summariseLives({ life, plain, against }, { store, connections, rate }) {
  const of = (turns, field, digits) => round(median(turns.map((turn) => turn[field])), digits);
  const lifeCpu = medianCpu(life);
  const plainCpu = medianCpu(plain);
  const againstCpu = medianCpu(against);
  const lives = sum(life, 'lives');
  const livesPerSecond = median(life.map((turn) => turn.livesPerSecond));
  return {
    mode: 'life',
    store,
    connections,
    rate: rate ?? null,
    turns: [...life, ...plain, ...against].map(({ statements, ...turn }) => turn),
    sends_a_second: of(life, 'sendsPerSecond', 0),
    lives_a_second: round(livesPerSecond, 0),
    events_a_second: round(livesPerSecond * 3, 0),
    plain_sends_a_second: of(plain, 'sendsPerSecond', 0),
    send_p50_ms: of(life, 'sendP50Ms', 1),
    plain_send_p50_ms: of(plain, 'sendP50Ms', 1),
    cpu_ms_a_life: lifeCpu,
    cpu_ms_a_plain_send: plainCpu,
    cpu_ms_a_plain_send_of_other: againstCpu,
    ratio: round(lifeCpu.total / plainCpu?.total, 2),
    ratio_to_other: round(lifeCpu.total / againstCpu?.total, 2),
    lag_p50_ms: of(life, 'lagP50Ms', 1),
    lag_p99_ms: of(life, 'lagP99Ms', 1),
    sent_lag_p99_ms: of(life, 'sentLagP99Ms', 1),
    done_after_ms: of(life, 'doneAfterMs', 0),
    ...hotShares(life, plain),
    repeated: sum(life, 'repeated'),
    statements: topStatements(life, lives),
  };
}

/** As `summariseLives`, for turns of notifications alone. */
export function summariseNotifications(turns, { store, platformConnections }) {
  const of = (field, digits) => round(median(turns.map((turn) => turn[field])), digits);
  return {
    mode: 'notifications',
    store,
    connections: platformConnections,
    turns: turns.map(({ statements, ...turn }) => turn),
    taken_a_second: of('takenPerSecond', 0),
    applied_a_second: of('appliedPerSecond', 0),
    arrived_a_second: of('arrivedPerSecond', 0),
    p50_ms: of('p50Ms', 1),
    p99_ms: of('p99Ms', 1),
    cpu_ms_each: medianCpu(turns),
    statements: topStatements(turns, sum(turns, 'count')),
  };
}

export function describeTurn(turn) {
  const parts = [
    `${turn.kind}: ${turn.count}`,
    ['sends/s', turn.sendsPerSecond, 0],
    ['lives/s', turn.livesPerSecond, 0],
    ['applied/s', turn.appliedPerSecond, 0],
    ['arrived/s', turn.arrivedPerSecond ?? undefined, 0],
    ['ms lag p50', turn.lagP50Ms, 1],
    ['ms lag p99', turn.lagP99Ms, 1],
    ['ms until done', turn.doneAfterMs, 0],
  ].flatMap((part) => {
    if (typeof part === 'string') return [part];
    const [unit, value, digits] = part;
    return Number.isFinite(value) ? [`${round(value, digits)} ${unit}`] : [];
  });
  const cpu = Object.entries(turn.cpu).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
  return `${parts.join(', ')}; processor ms: ${cpu.join(' ')}`;
}

/** Of all updates of messages, and of those that a life has beyond a send: they are the reports. */
function hotShares(life, plain) {
  const rate = (turns, field) =>
    turns.reduce((total, { updates }) => total + updates[field], 0) / sum(turns, 'count');
  const beyond = (field) => rate(life, field) - rate(plain, field);
  return {
    updates_a_life: round(rate(life, 'all'), 2),
    hot_updates: round(rate(life, 'hot') / rate(life, 'all'), 3),
    hot_reports: round(beyond('hot') / beyond('all'), 3),
  };
}

/** The statements that took longest, planning included: microseconds for one life. */
function topStatements(turns, count) {
  const byText = new Map();
  for (const { statements } of turns) {
    for (const [text, { calls, planMs, execMs }] of Object.entries(statements)) {
      const total = byText.get(text) ?? { calls: 0, planMs: 0, execMs: 0 };
      total.calls += calls;
      total.planMs += planMs;
      total.execMs += execMs;
      byText.set(text, total);
    }
  }
  const each = [...byText].map(([text, { calls, planMs, execMs }]) => ({
    us: round(((planMs + execMs) / count) * 1000, 1),
    planning_us: round((planMs / count) * 1000, 1),
    calls: round(calls / count, 3),
    text,
  }));
  return each.toSorted((a, b) => b.us - a.us).slice(0, statementsShown);
}

function medianCpu(turns) {
  if (turns.length === 0) return null;
  const names = Object.keys(turns[0].cpu);
  return Object.fromEntries(
    names.map((name) => [name, round(median(turns.map(({ cpu }) => cpu[name])), 3)]),
  );
}

const sum = (turns, field) => turns.reduce((total, turn) => total + turn[field], 0);
