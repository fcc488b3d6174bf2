import { randomUUID } from 'node:crypto';
import { holdToDocument } from './api-document.js';
import { redisDatabase, TestDatabase } from './database.js';
import { installation, putInstallation, type Store } from './installation.js';
import { keySqlForm } from './keys-in-texts.js';
import { Lease } from './lease.js';
import { freePort, LeasedProcess, ServerProcess } from './server-process.js';

/** What a stack is made of. */
export interface StackOptions {
  readonly store?: Store;
  /** API processes; default 1. */
  readonly apis?: number;
  /** Worker processes; default 1. Without any, the stack is its own. */
  readonly workers?: number;
  /**
   * Whether the processes are the test's alone, so that it may stop them, read what they write, or see their metrics
   * as they were from the start. Otherwise the test may get a standing stack on lease. Default false.
   */
  readonly own?: boolean;
  /** More variables for API and worker. With others than those of `standingEnv` the stack is its own. */
  readonly env?: Readonly<Record<string, string>>;
  /** A Redis of the test's own; with it the store is Redis. */
  readonly redisUrl?: string;
  /** A database of the test's own, seeded; else a clone of the shared one. */
  readonly databaseUrl?: string;
  /** Whether the simulator reports statuses and replies to the API. Default false. */
  readonly webhooks?: boolean;
  /** A checkout whose build runs; default this one. */
  readonly root?: string | undefined;
}

/** An answer of the API, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or null when it is none. */
  readonly body: any;
  readonly text: string;
}

/** One send as it arrived at the platform. */
export interface LedgerEntry {
  readonly id: string | null;
  readonly to: string;
  readonly type: string;
  readonly body: any;
  readonly phone_number_id: string;
  readonly biz_opaque_callback_data: string;
  readonly outcome: 'pending' | 'accepted' | 'refused' | 'dropped' | 'unanswered' | 'failed';
  readonly error_code: number | null;
}

/** Options of a request. */
export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the key of the installation; null sends none. */
  readonly apiKey?: string | null;
  /** Which of the API processes; default the first. */
  readonly api?: number;
  readonly method?: string;
  /** Objects go as JSON; texts and bytes as they are. */
  readonly body?: unknown;
}

/** A valid button message. */
export function buttonMessage(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    to: '+14155550123',
    body: 'Your parcel arrives today. Will you be at home?',
    buttons: [
      { id: 'yes', title: 'Yes' },
      { id: 'no', title: 'No' },
    ],
    ...change,
  };
}

/** A valid list message. */
export function listMessage(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    to: '+14155550123',
    body: 'When shall we come?',
    button: 'Choose a time',
    sections: [{ title: 'Today', rows: [{ id: 'noon', title: 'At noon' }] }],
    ...change,
  };
}

/** What stacks on lease differ in from those that are started for one test. */
export const standingEnv: Readonly<Record<string, string>> = {
  SEND_WAIT_MS: '20000',
  WEBHOOK_RETRY_SECONDS: '0.1,0.1',
};

/** What a standing stack is made of. */
export const standing = { apis: 2, workers: 1, webhooks: true, env: standingEnv } as const;

/** Whether a standing stack can do what the options ask for. */
function isLeasable(options: StackOptions): boolean {
  return (
    process.env.PARLEY_TEST_LEASES_URL !== undefined &&
    !options.own &&
    !options.redisUrl &&
    !options.databaseUrl &&
    !options.root &&
    (options.apis ?? 1) <= standing.apis &&
    (options.workers ?? 1) === standing.workers &&
    Object.entries(options.env ?? {}).every(([name, value]) => standingEnv[name] === value)
  );
}

/** The product as its users run it: simulator, API and worker processes on a database of their own. */
export class Stack {
  private constructor(
    readonly store: Store,
    readonly databaseUrl: string,
    private readonly database: TestDatabase | null,
    readonly simulator: ServerProcess,
    readonly apis: readonly ServerProcess[],
    readonly workers: readonly ServerProcess[],
    private readonly lease: Lease | null = null,
    /** Another build may be of another version, whose answers differ. */
    private readonly isOwnBuild = true,
  ) {}

  /** Gives the test a stack: on lease if that is enough, otherwise one of its own. */
  static start(options: StackOptions = {}): Promise<Stack> {
    return isLeasable(options) ? Stack.lease(options) : Stack.launch(options);
  }

  private static async lease({ store = 'postgres', apis = 1, webhooks }: StackOptions) {
    const lease = await Lease.take(store);
    const { databaseUrl, simulator, apis: all, workers } = lease.facts;
    const database = TestDatabase.at(databaseUrl);
    const stack = new Stack(
      store,
      databaseUrl,
      database,
      new LeasedProcess(simulator),
      all.slice(0, apis).map((facts) => new LeasedProcess(facts)),
      workers.map((facts) => new LeasedProcess(facts)),
      lease,
    );
    await stack.control('POST', 'reset', { reports: webhooks ?? false });
    await putInstallation(database);
    return stack;
  }

  /** Starts a stack of the test's own. */
  static async launch(options: StackOptions = {}): Promise<Stack> {
    const store = options.redisUrl ? 'redis' : (options.store ?? 'postgres');
    const database = options.databaseUrl ? null : await TestDatabase.clone('seeded');
    const databaseUrl = options.databaseUrl ?? database?.url ?? '';
    const redisUrl = options.redisUrl ?? (store === 'redis' ? await redisDatabase() : '');
    const apiPorts = await ports(options.apis ?? 1);
    const simulatorPort = await freePort();
    const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
    const env = {
      DATABASE_URL: databaseUrl,
      ...(redisUrl && { REDIS_URL: redisUrl }),
      SECRET_KEY: installation.secretKey,
      PLATFORM_BASE_URL: `${simulatorUrl}/v25.0`,
      SIMULATOR_URL: simulatorUrl,
      PLATFORM_VERIFY_TOKEN: 'verify-token-of-the-tests',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SEND_WAIT_MS: '3000',
      LOG_LEVEL: 'info',
      ...options.env,
    };
    const simulator = new ServerProcess('simulator', 'dist/libs/simulator/main.js', simulatorPort, {
      SIMULATOR_PORT: String(simulatorPort),
      SIMULATOR_UNKNOWN_TYPES: options.env?.SIMULATOR_UNKNOWN_TYPES ?? '',
      ...(options.webhooks && {
        SIMULATOR_APP_SECRET: installation.appSecret,
        SIMULATOR_WEBHOOK_URL: `http://127.0.0.1:${apiPorts[0]}/api/v1/platform/whatsapp/webhooks`,
      }),
    });
    const { root } = options;
    const apis = apiPorts.map(
      (port, index) =>
        new ServerProcess(
          `API ${index}`,
          'dist/src/main.js',
          port,
          { ...env, PORT: String(port) },
          root,
        ),
    );
    const workers = (await ports(options.workers ?? 1)).map(
      (port, index) =>
        new ServerProcess(
          `worker ${index}`,
          'dist/src/worker.js',
          port,
          { ...env, WORKER_PORT: String(port) },
          root,
        ),
    );
    const stack = new Stack(
      store,
      databaseUrl,
      database,
      simulator,
      apis,
      workers,
      null,
      root === undefined,
    );
    try {
      for (const process of stack.processes) process.launch();
      await Promise.all(stack.processes.map((process) => process.ready()));
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  get processes(): ServerProcess[] {
    return [this.simulator, ...this.workers, ...this.apis];
  }

  /** Makes a request of the external API; `path` is below `/api/v1/external`. */
  request(path: string, options: RequestOptions = {}): Promise<Answer> {
    return this.requestAt(`/api/v1/external${path}`, options);
  }

  /** Makes a request to an API process, and checks the answer against the OpenAPI document. */
  async requestAt(path: string, options: RequestOptions = {}): Promise<Answer> {
    const { apiKey = installation.apiKey, api = 0, body, method = body ? 'POST' : 'GET' } = options;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${this.apis[api]?.url}${path}`, {
      method,
      headers: {
        ...(apiKey && { 'X-API-Key': apiKey }),
        ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
        // A name that is written in two ways would make one header of both values.
        ...lowerCased(options.headers),
      },
      ...(body !== undefined && {
        body: isRaw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, body: parsed(text), text };
    if (this.isOwnBuild) holdToDocument(method, path, answer);
    return answer;
  }

  /** Sends an interactive message. */
  send(
    type: 'list' | 'button',
    body: unknown,
    headers: Record<string, string> = {},
    options: RequestOptions = {},
  ): Promise<Answer> {
    return this.request(`/messages/interactive/${type}`, {
      method: 'POST',
      body,
      ...options,
      headers: { ...headers, ...options.headers },
    });
  }

  get(path: string, options: RequestOptions = {}): Promise<Answer> {
    return this.request(path, { ...options, method: 'GET' });
  }

  /** Reads a message as its sender does. */
  async message(id: string): Promise<any> {
    return (await this.get(`/messages/${id}`)).body.data;
  }

  /** What has arrived at the platform, oldest first; with `to` only for that number. */
  async ledger(to?: string): Promise<LedgerEntry[]> {
    const digits = to?.replace('+', '') ?? '';
    const { messages } = await this.control('GET', `messages?limit=20000&to=${digits}`);
    return messages;
  }

  /** What has arrived at the platform for one message of ours: its tries. */
  async tries(messageId: string): Promise<LedgerEntry[]> {
    const all = await this.ledger();
    return all.filter((entry) => entry.biz_opaque_callback_data === messageId);
  }

  /** The simulator's totals. */
  stats(): Promise<any> {
    return this.control('GET', 'stats');
  }

  readonly rules = {
    /** Adds a fault: `{ match: { to }, fault, times }`. */
    add: (rule: unknown): Promise<any> => this.control('POST', 'rules', rule),
    clear: (): Promise<any> => this.control('DELETE', 'rules'),
  };

  /** Talks to the simulator's control interface. */
  async control(method: string, path: string, body?: unknown): Promise<any> {
    const response = await fetch(`${this.simulator.url}/_simulator/${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      }),
    });
    const answer: any = await response.json();
    if (!response.ok) throw new Error(`the simulator refused ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Runs one statement on the stack's database. */
  sql<Row = any>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (!this.database) throw new Error('the database is the test’s own');
    return this.database.sql<Row>(text, values);
  }

  /**
   * Gives a stack on lease back; stops everything of one's own and drops the database.
   * @throws Error if a whole API key was written to a log or the request log.
   */
  async stop(): Promise<void> {
    const withKey = await this.database?.sql(
      `select route from request_log l where l::text ~ '${keySqlForm}' limit 1`,
    );
    if (this.lease) {
      await this.database?.close();
      await this.lease.giveBack();
    } else {
      try {
        await Promise.all([...this.apis, ...this.workers].map((process) => process.stop()));
      } finally {
        await this.simulator.stop();
        await this.database?.drop();
      }
    }
    if (withKey?.[0]) throw new Error(`the request log has a whole API key at ${withKey[0].route}`);
  }
}

/** A recipient that no other test uses. */
export function newRecipient(): string {
  const digits = BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 12)}`) % 10_000_000n;
  return `+4930${String(digits).padStart(7, '0')}`;
}

const lowerCased = (headers: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

async function ports(count: number): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) found.push(await freePort());
  return found;
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
