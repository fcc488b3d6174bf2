import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Dashboard } from '../support/dashboard.js';
import { installation, type Store } from '../support/installation.js';
import { Link } from '../support/link.js';
import { Load, type LoadOptions, messageText } from '../support/load.js';
import { MortalPostgres } from '../support/mortal-postgres.js';
import { type RedisServer, startRedis } from '../support/redis.mjs';
import { RedisPair } from '../support/redis-pair.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { freePort, type ServerProcess } from '../support/server-process.js';
import { Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { Balancer } from './balancer.js';
import { digitOf, type Phase, recipientOf } from './phase.js';
import type { Random } from './random.js';

/** Callers at once, which bounds what one kill can leave in flight. */
export const connections = 24;

/** Between two sends of one caller: the machine is to have room for processes that start. */
const thinkMs = 100;

/** The platform takes its time, so that something is in flight when something is killed. */
const usualAnswerMs = 40;

/** What an installation can have that others have not. */
export const settings = [
  'previous release',
  'Sentinel',
  'synchronous standby',
  'asynchronous standby',
  'restored copy',
] as const;

export type Setting = (typeof settings)[number];

interface InstallationOptions {
  /** A checkout whose build is played; default this one. */
  readonly root?: string | undefined;
  readonly setting?: Setting | undefined;
  /** False leaves a primary running when its standby takes over. Default true. */
  readonly isFenced?: boolean | undefined;
}

/** Two of each process on stores of its own, with a network in between that obeys. */
export class ChaosInstallation {
  readonly phases = new Map<string, Phase>();
  private readonly spilt = new Set<string>();
  private restsAt = 0;

  private constructor(
    readonly store: Store,
    readonly random: Random,
    readonly postgres: MortalPostgres,
    private redis: RedisServer | null,
    /** A master and its replica, where Sentinel looks after Redis. */
    readonly pair: RedisPair | null,
    readonly links: { readonly postgres: Link; readonly redis: Link; readonly platform: Link },
    readonly stack: Stack,
    readonly balancer: Balancer,
    readonly receiver: WebhookReceiver,
    readonly operator: Dashboard,
    readonly isFenced: boolean,
  ) {}

  static async start(
    store: Store,
    random: Random,
    { root, setting, isFenced = true }: InstallationOptions = {},
  ): Promise<ChaosInstallation> {
    const hasSentinel = setting === 'Sentinel';
    const [postgres, redis, pair, receiver] = await Promise.all([
      startPostgres(setting, root),
      store === 'redis' && !hasSentinel ? startRedis() : null,
      hasSentinel ? RedisPair.start() : null,
      WebhookReceiver.start(),
    ]);
    // Two servers have addresses of their own, and no link in between.
    const isOne = !(postgres instanceof ReplicatedPostgres);
    const links = {
      postgres: await openLink(isOne ? Number(new URL(postgres.url).port) : 0),
      redis: await openLink(redis?.port ?? 0),
      platform: await openLink(0),
    };
    const stack = await Stack.start({
      databaseUrl: isOne
        ? Object.assign(new URL(postgres.url), { port: links.postgres.port }).href
        : postgres.url,
      ...(redis && { redisUrl: `redis://127.0.0.1:${links.redis.port}` }),
      ...(pair && { redisUrl: pair.url }),
      apis: 2,
      workers: 2,
      webhooks: true,
      root,
      env: {
        PLATFORM_BASE_URL: `http://127.0.0.1:${links.platform.port}/v25.0`,
        WEBHOOK_RETRY_SECONDS: '1,2,600,600,600',
      },
    });
    links.platform.target = stack.simulator.port;
    await stack.rules.add(answersAfter(usualAnswerMs));
    const operator = await Dashboard.signIn(stack);
    // Nearly every number has a pace. This one is never reached by the callers.
    await operator.get('PATCH', `/accounts/${installation.accountId}`, {
      messages_per_second: (2 * connections * 1_000) / thinkMs,
      // Rounds leave keys and endpoints behind. The version before this one knows no such limits.
      ...(root === undefined && { limits: { keys: null, endpoints: null } }),
    });
    const balancer = new Balancer(stack.apis);
    return new ChaosInstallation(
      store,
      random,
      postgres,
      redis,
      pair,
      links,
      stack,
      balancer,
      receiver,
      operator,
      isFenced,
    );
  }

  /** The primary and its standby. */
  get replicas(): ReplicatedPostgres {
    if (this.postgres instanceof ReplicatedPostgres) return this.postgres;
    throw new Error('there is no standby');
  }

  /** The processes of the product. */
  get servers(): readonly ServerProcess[] {
    return [...this.stack.apis, ...this.stack.workers];
  }

  get redisUrl(): string | null {
    return this.redis?.url ?? null;
  }

  load(name: string, change: Partial<LoadOptions> = {}): Load {
    return new Load({
      name,
      api: (elsewhereThan) => this.balancer.next(elsewhereThan),
      connections,
      thinkMs,
      ...change,
    });
  }

  /** A process that the fault before has killed may still be starting: what a fault sets up asks any of them. */
  private async allReady(): Promise<void> {
    await until(async () => {
      const states = await Promise.all(this.stack.apis.map((api) => api.health('ready')));
      return states.every((state) => state === 200);
    }, 60_000);
  }

  /** Sends while `fault` happens, then waits until the product is itself again. */
  async during(name: string, phase: Phase, fault: (load: Load) => Promise<void>): Promise<void> {
    this.phases.set(name, phase);
    const { troubles } = phase;
    for (const { digit, fault: does, times } of troubles) {
      const to = `${recipientOf(digit, 0).slice(0, -6)}*`;
      await this.stack.rules.add({ match: { to }, fault: does, times });
    }
    const load = this.load(name, {
      ...(troubles.length > 0 && {
        recipientOf: (sequence) => recipientOf(digitOf(troubles, sequence), sequence),
      }),
    });
    try {
      await this.accepts(load, 30);
      await this.allReady();
      await fault(load);
    } catch (error) {
      phase.violations.push(`I1 ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      phase.sent.push(...(await load.stop()));
    }
    await this.recovers(name, phase);
    if (troubles.length > 0) await this.slowPlatform();
    this.findSpilt(phase);
    this.findEnded(phase);
  }

  /** @param answerMs how long the platform takes for every message from now on; default as long as usual. */
  async slowPlatform(answerMs = usualAnswerMs): Promise<void> {
    await this.stack.rules.clear();
    await this.stack.rules.add(answersAfter(answerMs));
  }

  /** Kills an API or a worker at some moment, and starts it again. What was under way may be unconfirmed. */
  async killOne(phase: Phase): Promise<void> {
    const victim = this.random.pick(this.servers);
    await victim.ready();
    await pause(this.random.between(0, 400));
    await victim.kill();
    phase.unconfirmedMax += await this.underWay();
    await pause(this.random.between(0, 300));
    victim.launch();
  }

  /** Messages that workers have claimed and not settled. */
  async underWay(): Promise<number> {
    const [row] = await this.postgres.sql<{ count: number }>(
      `select count(*)::int as count from messages where status = 'sending'`,
    );
    return row?.count ?? 0;
  }

  /** Waits until this many more sends are accepted, as long as each hundred of them comes in time. */
  async accepts(load: Load, more: number): Promise<void> {
    const from = load.accepted;
    for (let wanted = Math.min(more, 100); ; wanted = Math.min(more, wanted + 100)) {
      await until(() => load.accepted >= from + wanted, 45_000).catch(() => {
        const last = JSON.stringify(load.sent.slice(-2));
        throw new Error(
          `${load.accepted - from} of ${more} more sends accepted, then none in 45 s; ${last}`,
        );
      });
      if (wanted === more) return;
    }
  }

  async ready(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.ready()));
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

  /** Something that the platform holds back comes so much later; there is no rest before. */
  expectMore(inMs: number): void {
    this.restsAt = Math.max(this.restsAt, performance.now() + inMs);
  }

  /** Waits until nothing is queued, under way, or still to be reported by the platform. */
  async quiet(timeoutMs: number): Promise<void> {
    await until(async () => {
      const [row] = await this.postgres.sql<{ open: number }>(
        `select (select count(*) from messages where status in ('queued', 'sending'))
           + (select count(*) from platform_notifications where next_attempt_at is not null)
           + (select count(*) from notification_events where state = 'waiting')
           + (select count(*) from open_events where due_at < now()) as open`,
      );
      const { webhooks } = await this.stack.stats();
      const isOver = performance.now() > this.restsAt;
      return isOver && Number(row?.open) === 0 && webhooks.waiting === 0;
    }, timeoutMs).catch(() => {});
  }

  async stop(): Promise<void> {
    this.balancer.close();
    this.links.platform.release();
    await this.stack.stop();
    for (const link of Object.values(this.links)) link.cut();
    await this.receiver.close();
    await this.redis?.stop('SIGKILL');
    await this.pair?.stop();
    await this.postgres.stop();
  }

  private async recovers(name: string, phase: Phase): Promise<void> {
    const endedAt = performance.now();
    let probes = 0;
    await until(async () => {
      probes += 1;
      const probe = this.load(`${name}-probe-${probes}`, { connections: 1 });
      const [first] = await probe.stop();
      if (first) phase.sent.push(first);
      if (first?.data?.status === 'sent') return true;
      await pause(100);
      return false;
    }, 45_000).catch(() => phase.violations.push('I1 not itself again 45 s after the fault'));
    phase.recoveredMs = Math.round(performance.now() - endedAt);
  }

  /** A process that ended without being stopped. */
  private findEnded(phase: Phase): void {
    for (const server of this.servers) {
      if (server.isRunning) continue;
      phase.violations.push(`I1 ${server.name} ended by itself: ${server.output.slice(-2_000)}`);
      server.launch();
    }
  }

  /** Numbers, texts and keys that a log holds; each process is named once. */
  private findSpilt(phase: Phase): void {
    const secrets = [messageText, installation.apiKey, installation.appSecret];
    for (const { name, output } of this.servers) {
      const recipient = /(?<![0-9a-f])\+?493[01]\d{7}(?![0-9a-f])/.exec(output)?.[0];
      const found = recipient ?? secrets.find((secret) => output.includes(secret));
      if (!found || this.spilt.has(name)) continue;
      this.spilt.add(name);
      phase.violations.push(`I11 the log of ${name} says "${found}"`);
    }
  }
}

/** A rule of the simulator for every message. */
function answersAfter(delayMs: number) {
  return { match: {}, fault: { delay_ms: delayMs } };
}

function startPostgres(setting?: Setting, root?: string): Promise<MortalPostgres> {
  if (setting === 'synchronous standby') return ReplicatedPostgres.startPair('synchronous');
  if (setting === 'asynchronous standby') return ReplicatedPostgres.startPair('asynchronous');
  return MortalPostgres.start(root);
}

async function openLink(target: number): Promise<Link> {
  const link = new Link(await freePort());
  link.target = target;
  await link.join();
  return link;
}

/** What a fault has to hand while it happens. */
export interface FaultContext {
  readonly chaos: ChaosInstallation;
  /** How often it is to happen. */
  readonly times: number;
  readonly load: Load;
  readonly phase: Phase;
}
