import pg from 'pg';
import type { Logger } from 'pino';
import type { HotStatements } from '../database/hot-statements.js';
import { decodeHints, encodeHints, hintsMax, type ReplyHint, ReplyHints } from './reply-hints.js';

/** A channel name is an identifier: letters, digits and underscores only. */
const channelOf = (processId: string) => `parley_replies_${processId.replaceAll('-', '')}`;

const publishStatement = { name: 'publish-reply-hints', text: 'select pg_notify($1, $2)' };

/** Reply hints over LISTEN and NOTIFY. Listening needs a connection of its own. */
export class PostgresReplyHints extends ReplyHints {
  private client: pg.Client | null = null;
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly statements: HotStatements,
    private readonly logger: Logger,
  ) {
    super();
  }

  async listen(processId: string, listener: (hints: ReplyHint[]) => void): Promise<void> {
    if (this.isClosed) return;
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'parley replies',
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
    });
    this.client = client;
    let isOver = false;
    const again = () => {
      if (isOver || this.isClosed) return;
      isOver = true;
      setTimeout(() => void this.listen(processId, listener), 500).unref();
    };
    client.on('notification', ({ payload }) => listener(decodeHints(payload ?? '')));
    client.on('error', again);
    client.on('end', again);
    try {
      await client.connect();
      await client.query(`listen ${channelOf(processId)}`);
    } catch (error) {
      this.logger.debug({ err: error }, 'PostgreSQL is away (reply hints)');
      client.end().catch(() => undefined);
      again();
    }
  }

  async publish(processId: string, hints: readonly ReplyHint[]): Promise<void> {
    try {
      for (let start = 0; start < hints.length; start += hintsMax) {
        const text = encodeHints(hints.slice(start, start + hintsMax));
        await this.statements.run(publishStatement, [channelOf(processId), text]);
      }
    } catch (error) {
      this.logger.debug({ err: error }, 'a reply hint was lost; the waiting process reads the row');
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.client?.end().catch(() => undefined);
  }
}
