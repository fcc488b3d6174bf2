import type { Command } from 'commander';
import type { FeedEvent } from '../../typescript/src/index.js';
import {
  addConnectionOptions,
  answerOf,
  type Connection,
  type ConnectionOptions,
  checkUrl,
  connect,
} from './connection.js';
import { CursorFile } from './cursor-file.js';
import { lineOf } from './describe.js';
import { UsageError } from './failures.js';
import { checkSecret, forward, newSecret } from './forward.js';
import { print, tell } from './output.js';
import { Patience, stopSignal } from './waiting.js';

interface ListenOptions extends ConnectionOptions {
  readonly forwardTo?: string;
  readonly secret?: string;
  readonly types?: string;
  readonly fromStart?: boolean;
  readonly cursor?: string;
  readonly cursorFile?: string;
}

const details = `
It reads the feed of the API key, so Parley need not reach this machine. The key needs
the permission view_messages, and event_feed switched on.

Events are posted one after the other, signed as Parley signs webhooks. What does not
answer 2xx gets the event three more times; then the next one follows. An event may come
twice: webhook-id tells.

Ctrl-C ends it and prints the cursor to go on with. Events go to stdout, the rest to stderr.

Examples:
  parley listen
  parley listen --forward-to http://localhost:8080/hook
  parley listen --json --types message.received --cursor-file cursor.txt`;

export function addListen(program: Command): void {
  const command = program
    .command('listen')
    .summary('print events as they come, and post them to a local program')
    .description('Prints the events of an API key as they come, and posts them to a local program.')
    .option('--forward-to <url>', 'where to post each event')
    .option('--secret <whsec>', 'signs what is posted (PARLEY_WEBHOOK_SECRET; default: a new one)')
    .option('--types <types>', 'only these, such as message.received,message.status')
    .option('--from-start', 'begin with the oldest event, not with the next one')
    .option('--cursor <cursor>', 'begin after this cursor')
    .option('--cursor-file <path>', 'keep the cursor there, and go on from it if it is there')
    .addHelpText('after', details)
    .action(listen);
  addConnectionOptions(command);
}

async function listen(options: ListenOptions): Promise<void> {
  const { forwardTo } = options;
  if (options.fromStart && options.cursor !== undefined) {
    throw new UsageError('give --from-start or --cursor, not both.');
  }
  if (forwardTo !== undefined) checkUrl(forwardTo);
  const givenSecret = options.secret ?? process.env.PARLEY_WEBHOOK_SECRET;
  if (givenSecret) checkSecret(givenSecret);
  const secret = givenSecret || newSecret();
  const connection = connect(options);
  const file = options.cursorFile === undefined ? null : new CursorFile(options.cursorFile);
  const kept = file?.read();
  const signal = stopSignal();
  const reader = new Reader(connection, options.types, signal, file);

  try {
    await reader.begin(kept ?? options.cursor, kept === undefined && options.fromStart === true);
    if (forwardTo !== undefined && !givenSecret) tell(`Secret of this run: ${secret}`);
    tell(
      forwardTo === undefined
        ? 'Listening. Ctrl-C ends it.'
        : `Listening, and posting to ${forwardTo}. Ctrl-C ends it.`,
    );
    for await (const event of reader.events()) {
      const onRetry = (reason: string) => tell(`${event.id}: ${reason}; trying again`);
      const forwarded =
        forwardTo === undefined
          ? null
          : await forward(event, { url: forwardTo, secret, signal, onRetry });
      print(options, { ...event, forwarded }, lineOf(event, forwarded));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    tell(
      reader.cursor === undefined ? 'Stopped.' : `Stopped. Go on with: --cursor ${reader.cursor}`,
    );
  }
}

/** Reads a feed and knows how far it has been read. */
class Reader {
  cursor: string | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly types: string | undefined,
    private readonly signal: AbortSignal,
    private readonly file: CursorFile | null,
  ) {}

  /** Finds where to begin: after the cursor, at the start, or at the present end. */
  async begin(cursor: string | undefined, fromStart: boolean): Promise<void> {
    this.cursor = cursor;
    const { connection } = this;
    // What is wrong with the key or the options is known before it says that it listens.
    if (cursor !== undefined || fromStart) await answerOf(connection, this.readOne());
    else this.moveTo(await answerOf(connection, this.findEnd()));
  }

  /** All that comes, without end; what is interrupted goes on. */
  async *events(): AsyncGenerator<FeedEvent> {
    const patience = new Patience(this.signal);
    const onPage = (cursor: string) => {
      patience.renew();
      this.moveTo(cursor);
    };
    for (;;) {
      try {
        yield* this.connection.parley.eachEvent(this.filter(), { ...this.callOptions(), onPage });
      } catch (error) {
        await patience.wait(error);
      }
    }
  }

  /**
   * The cursor after everything that is there. Asking for a type that is rare makes the answers small.
   */
  private async findEnd(): Promise<string> {
    const { parley } = this.connection;
    await this.readOne();
    for (let end: string | undefined; ; ) {
      const filter = { types: 'contact.consent', limit: 1_000, cursor: end };
      const { next_cursor } = await parley.listEvents(filter, this.callOptions());
      if (next_cursor === end) return end;
      end = next_cursor;
    }
  }

  private readOne(): Promise<unknown> {
    return this.connection.parley.listEvents(this.filter({ limit: 1 }), this.callOptions());
  }

  private moveTo(cursor: string): void {
    this.cursor = cursor;
    this.file?.write(cursor);
  }

  private filter(more: { limit?: number } = {}) {
    return { types: this.types, cursor: this.cursor, ...more };
  }

  private callOptions() {
    return { signal: this.signal };
  }
}
