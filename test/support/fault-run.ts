import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Store } from './installation.js';
import { Link } from './link.js';
import { Load, type Sent } from './load.js';
import { MortalPostgres } from './mortal-postgres.js';
import { until } from './npm-start.js';
import { startRedis } from './redis.mjs';
import { freePort, type ServerProcess } from './server-process.js';
import { Stack } from './stack.js';

/** Callers at once, which bounds what is in flight. */
const connections = 48;

/** A message as the database has it when all is quiet. */
interface Row {
  id: string;
  reference: string;
  status: string;
  attempt: number;
  reason: string | null;
}

/** What a fault did to the messages that were sent while it happened. */
export interface Outcome {
  /** Sends by HTTP status, `none` where there was no answer. */
  answers: Record<string, number>;
  /** Messages by status and reason in the end. */
  statuses: Record<string, number>;
  /** Answered as accepted, and not in the database. */
  lost: string[];
  /** Still `queued` or `sending` though nothing goes on any more. */
  stuck: string[];
  /** Accepted by the platform more than once. */
  twice: string[];
  /** `sent` though the platform has no such message. */
  sentInVain: string[];
  /** `failed` though the platform has it. */
  failedYetSent: string[];
  /** Answered with an error though the platform has it. */
  refusedYetSent: string[];
  /** Answered with an error that names no message, though a row is there. */
  refusedYetStored: string[];
  /** Answers that are not the API's envelope. */
  bare: string[];
  /** Without what a killed worker had under way. */
  unconfirmed: number;
  /** The most that may be unconfirmed, which the fault found out while it happened. */
  unconfirmedMax: number;
  /** Of all, what the platform has. */
  unconfirmedAndSent: number;
  slowestMs: number;
  /** From the end of the fault to the first lone send that is answered `sent` within half a second. */
  recoveredMs: number;
}

/** One product with everything below it, under load and under faults. */
export class FaultRun {
  /** What killed workers had claimed and not settled: the platform alone knows of it. */
  private readonly underWay = new Set<string>();
  private readonly phases = new Map<
    string,
    { sent: Sent[]; unconfirmedMax: number; recoveredMs: number }
  >();
  private unconfirmedMax = 0;

  private constructor(
    readonly store: Store,
    readonly postgres: MortalPostgres,
    private redis: Awaited<ReturnType<typeof startRedis>> | null,
    readonly link: Link,
    readonly stack: Stack,
  ) {}

  static async start(store: Store, workers = 1): Promise<FaultRun> {
    const postgres = await MortalPostgres.start();
    const redis = store === 'redis' ? await startRedis() : null;
    const link = new Link(await freePort());
    await link.join();
    const stack = await Stack.start({
      databaseUrl: postgres.url,
      workers,
      ...(redis && { redisUrl: redis.url }),
      env: { PLATFORM_BASE_URL: `http://127.0.0.1:${link.port}/v25.0` },
    });
    link.target = stack.simulator.port;
    return new FaultRun(store, postgres, redis, link, stack);
  }

  get api(): ServerProcess {
    return firstOf(this.stack.apis);
  }

  get worker(): ServerProcess {
    return firstOf(this.stack.workers);
  }

  /** Sends without a pause while `fault` happens, then waits until the product is itself again. */
  async during(name: string, fault: (load: Load) => Promise<void>): Promise<void> {
    const load = new Load({ name, api: () => this.api.url, connections });
    this.unconfirmedMax = 0;
    try {
      await this.accepts(load, 200);
      await fault(load);
    } finally {
      const sent = await load.stop();
      const { unconfirmedMax } = this;
      this.phases.set(name, { sent, unconfirmedMax, recoveredMs: Number.POSITIVE_INFINITY });
    }
    const endedAt = performance.now();
    let probes = 0;
    await until(async () => {
      probes += 1;
      const probe = new Load({
        name: `${name}-probe-${probes}`,
        api: () => this.api.url,
        connections: 1,
      });
      const [first] = await probe.stop();
      if (first) this.phases.get(name)?.sent.push(first);
      return first?.data?.status === 'sent' && first.durationMs < 500;
    }, 20_000).catch(() => {
      throw this.problem(`${name}: not itself again after 20 s`);
    });
    const phase = this.phases.get(name);
    if (phase) phase.recoveredMs = Math.round(performance.now() - endedAt);
  }

  /**
   * Kills the worker, and returns a second later. What it had under way may be more than there are
   * callers: one that starts slowly finds what those have left who waited for it in vain.
   */
  async killWorker(): Promise<void> {
    await this.worker.kill();
    await pause(1_000);
    for (const id of await this.claimed()) this.underWay.add(id);
  }

  /** Lets the worker stand still, and returns when the other one sends: it had that much under way. */
  async freezeWorker(load: Load): Promise<void> {
    this.worker.signal('SIGSTOP');
    // Claims that had left the worker may be committed yet.
    await this.accepts(load, 20);
    this.unconfirmedMax += (await this.claimed()).length;
  }

  /** Cuts the network to the platform while the worker is frozen: what it has claimed is in flight. */
  async cutPlatform(): Promise<void> {
    this.worker.signal('SIGSTOP');
    this.unconfirmedMax += (await this.claimed()).length;
    this.link.cut();
    this.worker.signal('SIGCONT');
  }

  /** Messages that workers have claimed and not settled. */
  private async claimed(): Promise<string[]> {
    const rows = await this.postgres.sql<{ id: string }>(
      `select id from messages where status = 'sending'`,
    );
    return rows.map(({ id }) => id);
  }

  /** Waits until so many more sends are accepted. */
  async accepts(load: Load, more: number): Promise<void> {
    const from = load.accepted;
    await until(() => load.accepted >= from + more, 30_000).catch(() => {
      const last = JSON.stringify(load.sent.slice(-3));
      throw this.problem(`${load.accepted - from} of ${more} more sends accepted; last: ${last}`);
    });
  }

  /** An error with the last words of every process. */
  private problem(text: string): Error {
    const words = this.stack.processes.map(
      ({ name, output }) => `${name}: ${output.slice(-2_000)}`,
    );
    return new Error([`${text} (${this.store})`, ...words].join('\n\n'));
  }

  async flushRedis(): Promise<void> {
    if (!this.redis) return;
    const client = new Redis(this.redis.url);
    await client.flushall();
    client.disconnect();
  }

  async killRedis(): Promise<void> {
    await this.redis?.stop('SIGKILL');
  }

  /** Starts an empty Redis where the other one was. */
  async restartRedis(): Promise<void> {
    if (this.redis) this.redis = await startRedis({ port: this.redis.port });
  }

  /** Waits until nothing is queued or under way, which takes a lease where a worker was killed. */
  async quiet(): Promise<void> {
    await until(async () => {
      const [row] = await this.postgres.sql<{ open: number }>(
        `select count(*)::int as open from messages where status in ('queued', 'sending')`,
      );
      return row?.open === 0;
    }, 60_000).catch(() => {});
  }

  async outcomes(): Promise<Map<string, Outcome>> {
    const rows = await this.postgres.sql<Row>(
      `select id, reference, status, attempt, error->>'reason' as reason from messages`,
    );
    const response = await fetch(`${this.stack.simulator.url}/_simulator/ledger`);
    const ledger = (await response.text()).trim().split('\n');
    const accepted = new Map<string, number>();
    for (const line of ledger) {
      const entry = JSON.parse(line) as { callback: string; outcome: string };
      if (entry.outcome !== 'accepted') continue;
      accepted.set(entry.callback, (accepted.get(entry.callback) ?? 0) + 1);
    }
    const byReference = new Map(rows.map((row) => [row.reference, row]));
    return new Map(
      [...this.phases].map(([name, { sent, ...known }]) => [
        name,
        { ...judge(sent, byReference, accepted, this.underWay), ...known },
      ]),
    );
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    this.link.cut();
    await this.redis?.stop('SIGKILL');
    await this.postgres.stop();
  }
}

function firstOf(processes: readonly ServerProcess[]): ServerProcess {
  const [first] = processes;
  if (!first) throw new Error('the stack has no such process');
  return first;
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

function judge(
  sent: readonly Sent[],
  rows: ReadonlyMap<string, Row>,
  accepted: ReadonlyMap<string, number>,
  underWay: ReadonlySet<string>,
): Omit<Outcome, 'unconfirmedMax' | 'recoveredMs'> {
  const outcome: ReturnType<typeof judge> = {
    answers: {},
    statuses: {},
    lost: [],
    stuck: [],
    twice: [],
    sentInVain: [],
    failedYetSent: [],
    refusedYetSent: [],
    refusedYetStored: [],
    bare: [],
    unconfirmed: 0,
    unconfirmedAndSent: 0,
    slowestMs: Math.round(Math.max(...sent.map(({ durationMs }) => durationMs))),
  };
  for (const { reference, status, data, error, problem } of sent) {
    const row = rows.get(reference);
    const times = row ? (accepted.get(row.id) ?? 0) : 0;
    const words = `${reference}: ${status ?? problem} ${data?.status ?? error?.code} ${error?.details?.reason ?? ''} → ${row?.status} ${row?.reason ?? ''} ${row?.id}`;
    count(
      outcome.answers,
      `${status ?? problem} ${data?.status ?? error?.details?.reason ?? error?.code ?? ''}`,
    );
    count(outcome.statuses, [row?.status ?? 'none', row?.reason ?? []].flat().join(' '));
    if (status !== null && !data && !error) outcome.bare.push(words);
    if (data && row?.id !== data.message_id) outcome.lost.push(words);
    if (data?.status === 'sent' && times === 0) outcome.sentInVain.push(words);
    if (error && times > 0) outcome.refusedYetSent.push(words);
    if (error && row && error.details?.message_id !== row.id) outcome.refusedYetStored.push(words);
    if (!row) continue;
    if (row.status === 'queued' || row.status === 'sending') outcome.stuck.push(words);
    if (times > 1) outcome.twice.push(words);
    if (row.status === 'sent' && times === 0) outcome.sentInVain.push(words);
    if (row.status === 'failed' && times > 0) outcome.failedYetSent.push(words);
    if (row.status === 'unconfirmed') {
      if (!underWay.has(row.id)) outcome.unconfirmed += 1;
      if (times > 0) outcome.unconfirmedAndSent += 1;
    }
  }
  return outcome;
}
