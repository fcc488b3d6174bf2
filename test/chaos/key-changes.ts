import { setTimeout as pause } from 'node:timers/promises';
import { newKey } from '../support/dashboard.js';
import { buttonMessage } from '../support/stack.js';
import type { ChaosInstallation, FaultContext } from './installation.js';
import { recipientOf } from './phase.js';

/** A request with a key that is about to change. */
interface Call {
  readonly startedAt: number;
  readonly status: number;
  /** The end of the minute that it was counted in. */
  readonly window: string;
}

/** What takes a key away. */
const endings: readonly ((id: string) => [method: string, path: string, body?: unknown])[] = [
  (id) => ['POST', `/api-keys/${id}/revoke`],
  (id) => ['PATCH', `/api-keys/${id}`, { active: false }],
  (id) => ['POST', `/api-keys/${id}/suspend`, { reason: 'chaos' }],
  (id) => ['PATCH', `/api-keys/${id}`, { permissions: ['view_messages'] }],
  (id) => ['DELETE', `/api-keys/${id}`],
  (id) => ['POST', `/api-keys/${id}/rotate`],
];

const callers = 8;

/** How many keys a round tries; a key does not count if two stores counted it. */
const triesMax = 10;

/** Takes keys away while they are used, at both APIs, and asks more of keys than they may. */
export async function changeKeys(context: FaultContext): Promise<void> {
  for (let round = 0; round < context.times; round += 1) {
    await endKey(context, round);
    if (round % endings.length === 0) await exceedLimit(context, round);
  }
}

async function endKey({ chaos, phase }: FaultContext, round: number): Promise<void> {
  const { api_key, key } = await chaos.operator.newKey({ rate_limit_per_minute: 1_000_000 });
  const calls: Call[] = [];
  const over = new AbortController();
  const calling = Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (!over.signal.aborted) calls.push(await call(chaos, key, caller));
    }),
  );
  await pause(chaos.random.between(100, 300));
  const [method, path, body] = endings[round % endings.length]?.(api_key.id) ?? ['GET', ''];
  const answer = await chaos.operator.call(method, path, body);
  const endedAt = performance.now();
  await pause(200);
  over.abort();
  await calling;
  if (answer.status !== 200) {
    phase.violations.push(`I10 ${method} ${path} was answered ${answer.status}: ${answer.text}`);
    return;
  }
  const late = calls.filter(({ startedAt, status }) => startedAt > endedAt && status < 400);
  if (late.length > 0) {
    phase.violations.push(`I10 ${late.length} requests were let in after ${method} ${path}`);
  }
}

/** Tries again with another key if Redis was silent for a moment, because two stores have counted that key. */
async function exceedLimit(context: FaultContext, round: number): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (await exceedOneLimit(context, round)) return;
  }
}

/** @returns whether only one store has counted, so that the exact limit was tested. */
async function exceedOneLimit({ chaos, phase }: FaultContext, round: number): Promise<boolean> {
  const limit = chaos.random.between(5, 20);
  const { api_key, key } = await chaos.operator.newKey(newKey({ rate_limit_per_minute: limit }));
  const ask = async (count: number) =>
    Promise.all(Array.from({ length: count }, (_, caller) => call(chaos, key, caller)));
  const calls = await ask(3 * limit);
  const lower = Math.ceil(limit / 2);
  await chaos.operator.get('PATCH', `/api-keys/${api_key.id}`, { rate_limit_per_minute: lower });
  const after = await ask(limit);
  // If Redis was silent for a moment, PostgreSQL has counted from zero: twice the limit is right, once.
  const times = chaos.store === 'redis' && (await isInPostgres(chaos, api_key.id)) ? 2 : 1;
  const broken = [
    ...fullWindows(calls.concat(after), times * limit),
    // What was let in before the change counts for its minute, too.
    ...fullWindows(after, times * lower),
  ];
  for (const window of broken) {
    phase.violations.push(`I9 key ${round}: ${window} let in, ${limit}, then ${lower} allowed`);
  }
  return times === 1;
}

async function isInPostgres({ postgres }: ChaosInstallation, apiKeyId: string): Promise<boolean> {
  const sql = 'select count(*)::int as counters from quota_counters where api_key_id = $1';
  const [row] = await postgres.sql<{ counters: number }>(sql, [apiKeyId]);
  return (row?.counters ?? 0) > 0;
}

/** Windows in which more was let in than allowed. */
function fullWindows(calls: readonly Call[], limit: number): string[] {
  const counts = new Map<string, number>();
  for (const { status, window } of calls) {
    if (status === 200) counts.set(window, (counts.get(window) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > limit)
    .map(([at, count]) => `${count} until ${at}`);
}

async function call(chaos: ChaosInstallation, apiKey: string, caller: number): Promise<Call> {
  const startedAt = performance.now();
  const { status, body } = await chaos.stack.send(
    'button',
    buttonMessage({ to: recipientOf(0, caller) }),
    { Prefer: 'respond-async' },
    { apiKey, api: caller % 2 },
  );
  const window = body?.meta?.rate_limit?.reset_at ?? '';
  return { startedAt, status: status === 202 ? 200 : status, window };
}
