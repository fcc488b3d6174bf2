import type { Logger } from 'pino';
import { DatabaseClient } from '../database/database-client.js';
import type { HotStatements } from '../database/hot-statements.js';
import { HintChannel } from './hint-channel.js';
import * as sql from './postgres-hint-channel.statements.js';

/** A channel name is an identifier: letters, digits and underscores only. */
const channelOf = (name: string) => `parley_${name.replaceAll(/[^A-Za-z0-9]/g, '')}`;

/** Hints over LISTEN and NOTIFY. Listening takes a connection of its own. */
export class PostgresHintChannel extends HintChannel {
  private readonly clients = new Map<string, DatabaseClient>();
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly statements: HotStatements,
    private readonly logger: Logger,
  ) {
    super();
  }

  async listen(
    name: string,
    listener: (text: string) => void,
    onGap: () => void = () => undefined,
  ): Promise<void> {
    if (this.isClosed) return;
    const client = new DatabaseClient({
      connectionString: this.url,
      application_name: 'parley hints',
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
    });
    this.clients.set(name, client);
    let isOver = false;
    const retry = () => {
      if (isOver || this.isClosed) return;
      isOver = true;
      setTimeout(() => void this.listen(name, listener, onGap).then(onGap), 500).unref();
    };
    client.on('notification', ({ payload }) => listener(payload ?? ''));
    client.on('error', retry);
    client.on('end', retry);
    try {
      await client.connect();
      await client.query(`listen ${channelOf(name)}`);
    } catch (error) {
      this.logger.debug({ err: error }, 'PostgreSQL is away (hints)');
      client.end().catch(() => undefined);
      retry();
    }
  }

  async publish(name: string, text: string): Promise<void> {
    try {
      await sql.publishHints.run(this.statements, { channel: channelOf(name), text });
    } catch (error) {
      this.logger.debug({ err: error }, 'a hint was lost; the rows are read within seconds');
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.clients.values()].map((client) => client.end().catch(() => {})));
  }
}
