import { callbackify } from 'node:util';
import type pg from 'pg';
import { serversOf } from '../config/database-servers.js';
import { ErrorTolerantClient } from './error-tolerant-client.js';
import { noteComplaint } from './full-disk.js';

/** Where a server listens. */
interface Server {
  readonly host: string;
  readonly port: number;
}

const readOnlyState = '25006';

/** The server answers and takes no writes: it is a standby. */
class ReadOnlyServerError extends Error {
  readonly code = readOnlyState;

  constructor() {
    super('no server that DATABASE_URL names takes writes');
  }
}

/**
 * A connection that ends when its server takes no writes any more. Where DATABASE_URL names several servers, it
 * goes to the one that takes writes.
 */
export class DatabaseClient extends ErrorTolerantClient {
  /** What the server says in its greeting. */
  isReadOnly = false;
  private readonly choice: ServerChoice | null;

  constructor(private readonly settings: pg.ClientConfig = {}) {
    const choice = ServerChoice.of(settings.connectionString);
    super(choice ? { ...settings, connectionString: choice.urls[0] } : settings);
    this.choice = choice;
    this.connection.on('errorMessage', ({ code }: { code?: string }) => noteComplaint(code));
    this.connection.on(
      'parameterStatus',
      (said: { parameterName: string; parameterValue: string }) => {
        if (!/^(in_hot_standby|default_transaction_read_only)$/.test(said.parameterName)) return;
        this.isReadOnly ||= said.parameterValue === 'on';
      },
    );
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code !== readOnlyState) return;
      choice?.forget();
      // The caller of the query gets its error first.
      setImmediate(() => this.drop());
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(
    callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void),
  ): void;
  override connect(callback?: (error: never, client: pg.Client) => void): unknown {
    const connected = this.choice ? this.connectTo(this.choice) : super.connect();
    if (!callback) return connected;
    return callbackify(() => connected)(
      callback as (error: Error | null, client: pg.Client) => void,
    );
  }

  /** Ends the connection at once; what it was asked fails. */
  drop(): void {
    this.connection.stream.destroy();
  }

  private async connectTo(choice: ServerChoice): Promise<this> {
    const server = await choice.find(this.settings);
    // The pool may have waited long enough.
    if (this.connection.stream.destroyed) throw new Error('timeout expired');
    Object.assign(this, server);
    try {
      await super.connect();
      if (this.isReadOnly) throw new ReadOnlyServerError();
    } catch (error) {
      choice.forget();
      this.drop();
      throw error;
    }
    choice.hold(this, server);
    return this;
  }
}

/** Which of the servers in a DATABASE_URL takes writes, for all connections of the process. */
class ServerChoice {
  private static readonly known = new Map<string, ServerChoice | null>();
  private found: Promise<Server> | null = null;
  private readonly clients = new Map<DatabaseClient, Server>();

  private constructor(readonly urls: readonly [string, ...string[]]) {}

  /** @returns null where the URL leaves no choice. */
  static of(url = ''): ServerChoice | null {
    const known = ServerChoice.known.get(url);
    if (known !== undefined) return known;
    const servers = serversOf(url);
    const choice = servers?.isChoice ? new ServerChoice(servers.urls) : null;
    ServerChoice.known.set(url, choice);
    return choice;
  }

  /** The server that takes writes. Asks all of them at once if it is not known. */
  find(settings: pg.ClientConfig): Promise<Server> {
    this.found ??= this.ask(settings);
    return this.found;
  }

  /** The next connection asks again. */
  forget(): void {
    this.found = null;
  }

  /** Notes a connection. Those to another server are of no use any more. */
  hold(client: DatabaseClient, server: Server): void {
    this.clients.set(client, server);
    client.once('end', () => {
      this.clients.delete(client);
      // The server may be gone, and another one may have its address by now.
      if (this.clients.size === 0) this.forget();
    });
    for (const [other, its] of this.clients) {
      if (its.host !== server.host || its.port !== server.port) other.drop();
    }
  }

  private async ask(settings: pg.ClientConfig): Promise<Server> {
    try {
      return await Promise.any(this.urls.map((url) => probe(settings, url)));
    } catch (error) {
      this.forget();
      const { errors } = error as AggregateError;
      throw errors.find((one) => one instanceof ReadOnlyServerError) ?? errors[0];
    }
  }
}

/** @returns where the server listens. @throws where it cannot be reached, or takes no writes. */
async function probe(settings: pg.ClientConfig, connectionString: string): Promise<Server> {
  const client = new DatabaseClient({ ...settings, connectionString });
  try {
    await client.connect();
    if (client.isReadOnly) throw new ReadOnlyServerError();
    return { host: client.host, port: client.port };
  } finally {
    void client.end().catch(() => undefined);
  }
}
