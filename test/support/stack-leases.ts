import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Store } from './installation.js';
import type { LeaseFacts } from './lease.js';
import type { LeasedFacts, ServerProcess } from './server-process.js';
import { emptyDatabase } from './services.mjs';
import { Stack, standing } from './stack.js';

/** Each stack costs processor time as long as it runs, even when no test uses it. */
const stacksMax: Readonly<Record<Store, number>> = { postgres: 2, redis: 1 };

/** An API writes the usage of its keys every three seconds. After that, nothing of the last test is left in it. */
const usageIsWrittenMs = 3_300;

interface Holder {
  readonly process: number;
  readonly file: string;
}

interface StandingStack {
  readonly id: string;
  readonly store: Store;
  readonly stack: Stack;
  holder: Holder | null;
  isReady: boolean;
}

/**
 * Lends stacks to tests, which run in other processes than this one. A stack starts when a test asks and none is
 * free, up to `stacksMax`; then tests wait. Between two tests everything that a stack remembers is emptied.
 */
export class StackLeases {
  private readonly stacks: StandingStack[] = [];
  private readonly starting = new Map<Store, number>();
  private waiting: (() => void)[] = [];
  private failure: Error | null = null;
  private isClosing = false;

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async listen(): Promise<StackLeases> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const leases = new StackLeases(`http://127.0.0.1:${port}`, server);
    server.on('request', (request, response) => {
      leases.answer(request).then(
        (answer) => response.end(JSON.stringify(answer)),
        (error: Error) => response.writeHead(500).end(error.stack),
      );
    });
    return leases;
  }

  /** Stops all stacks. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.wake();
    this.server.closeAllConnections();
    this.server.close();
    await Promise.all(this.stacks.map(({ stack }) => stack.stop()));
  }

  private async answer(request: IncomingMessage): Promise<LeaseFacts | Record<string, never>> {
    const body: any = await json(request);
    if (request.method === 'POST') return this.lend(body.store, body.holder);
    const standingStack = this.stacks.find(({ id }) => id === body.id);
    if (standingStack) this.takeBack(standingStack);
    return {};
  }

  private async lend(store: Store, holder: Holder): Promise<LeaseFacts> {
    for (const one of this.stacks) {
      const isLeft = one.holder?.process === holder.process && one.holder.file !== holder.file;
      if (isLeft) this.takeBack(one);
    }
    for (;;) {
      if (this.isClosing) throw new Error('the tests have ended');
      if (this.failure) throw this.failure;
      const own = this.stacks.filter((one) => one.store === store);
      const free = own.find((one) => one.isReady && !one.holder);
      if (free) {
        free.holder = holder;
        return factsOf(free);
      }
      const coming = this.starting.get(store) ?? 0;
      if (own.length + coming < stacksMax[store]) void this.add(store);
      await new Promise<void>((done) => this.waiting.push(done));
    }
  }

  private async add(store: Store): Promise<void> {
    this.starting.set(store, (this.starting.get(store) ?? 0) + 1);
    try {
      const stack = await Stack.launch({ store, ...standing });
      const added = { id: randomUUID(), store, stack, holder: null, isReady: false };
      this.stacks.push(added);
      await this.empty(added);
    } catch (error) {
      this.failure = error as Error;
    }
    this.starting.set(store, (this.starting.get(store) ?? 0) - 1);
    this.wake();
  }

  private takeBack(one: StandingStack): void {
    one.holder = null;
    one.isReady = false;
    pause(usageIsWrittenMs, undefined, { ref: false })
      .then(() => (this.isClosing ? undefined : this.empty(one)))
      .catch((error: Error) => {
        this.failure = error;
        this.wake();
      });
  }

  /** Empties databases and simulator; the test puts in what it begins with. */
  private async empty(one: StandingStack): Promise<void> {
    const { stack } = one;
    await stack.control('POST', 'reset', { reports: false });
    await emptyDatabase(stack.databaseUrl);
    const redisUrl = stack.apis[0]?.env.REDIS_URL;
    if (redisUrl) {
      const redis = new Redis(redisUrl);
      await redis.flushdb();
      redis.disconnect();
    }
    one.isReady = true;
    this.wake();
  }

  private wake(): void {
    const woken = this.waiting;
    this.waiting = [];
    for (const wake of woken) wake();
  }
}

function factsOf({ id, stack }: StandingStack): LeaseFacts {
  const of = ({ name, port, pid, env }: ServerProcess): LeasedFacts => ({ name, port, pid, env });
  return {
    id,
    databaseUrl: stack.databaseUrl,
    simulator: of(stack.simulator),
    apis: stack.apis.map(of),
    workers: stack.workers.map(of),
  };
}
