import { type Command, Option } from 'commander';
import type { ListedMessage, Message, MessageFilter } from '../../typescript/src/index.js';
import {
  addConnectionOptions,
  answerOf,
  type Connection,
  type ConnectionOptions,
  connect,
} from './connection.js';
import { UsageError } from './failures.js';
import { follow } from './follow.js';
import { wholeNumber } from './numbers.js';
import { columns, print, printable, tell } from './output.js';

interface ListOptions extends ConnectionOptions {
  readonly to?: string;
  readonly toUserId?: string;
  readonly status?: MessageFilter['status'];
  readonly reference?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly follow?: boolean;
  readonly interval: number;
}

const statuses = [
  'scheduled',
  'queued',
  'sending',
  'unconfirmed',
  'sent',
  'delivered',
  'read',
  'failed',
  'cancelled',
] as const satisfies readonly MessageFilter['status'][];

const pageMost = 100;

const getDetails = `
Example:
  parley get 01a1fe28-8c51-7333-94e3-3a4f233ab691`;

const listDetails = `
The newest message comes first. With --follow the oldest comes first, and each message comes
again when its status changes; Ctrl-C ends it. Each look is one request of the key.

Examples:
  parley list --status failed --created-after 2026-11-01
  parley list --to +14155550123 --limit 500 --json
  parley list --follow`;

const cancelDetails = `
Only a message that is scheduled or queued can be cancelled.

Example:
  parley cancel 01a1fe28-8c51-7333-94e3-3a4f233ab691`;

export function addMessages(program: Command): void {
  addConnectionOptions(
    program
      .command('get')
      .summary('show a message and what became of it')
      .description('Shows a message and what became of it.')
      .argument('<id>', "the message's id")
      .addHelpText('after', getDetails),
  ).action(get);

  addConnectionOptions(
    program
      .command('list')
      .summary('list messages')
      .description('Lists the messages of the API key.')
      .option('--to <number>', 'to this phone number')
      .option('--to-user-id <id>', 'to this user id')
      .addOption(new Option('--status <status>', 'that are').choices(statuses))
      .option('--reference <text>', 'with your own reference')
      .option('--created-after <time>', 'at or after this time, such as 2026-11-21T12:00:00Z')
      .option('--created-before <time>', 'before this time')
      .option('--limit <count>', 'at most this many', wholeNumber(1, 1_000_000), 20)
      .option('--cursor <cursor>', 'go on after this message')
      .option('--follow', 'go on with what comes, until Ctrl-C')
      .option(
        '--interval <seconds>',
        'how often --follow looks for changes',
        wholeNumber(1, 3_600),
        5,
      )
      .addHelpText('after', listDetails),
  ).action(list);

  addConnectionOptions(
    program
      .command('cancel')
      .summary('take a message back before it is sent')
      .description('Takes a message back before it is sent.')
      .argument('<id>', "the message's id")
      .addHelpText('after', cancelDetails),
  ).action(cancel);
}

async function get(id: string, options: ConnectionOptions): Promise<void> {
  const connection = connect(options);
  const message = await answerOf(connection, connection.parley.getMessage(id));
  print(options, message, detailsOf(message));
}

async function cancel(id: string, options: ConnectionOptions): Promise<void> {
  const connection = connect(options);
  const message = await answerOf(connection, connection.parley.cancelMessage(id));
  print(options, message, `${message.message_id} ${message.status}`);
}

async function list(options: ListOptions): Promise<void> {
  if (options.follow && (options.cursor !== undefined || options.createdBefore !== undefined)) {
    throw new UsageError('--follow goes on with what comes: give no --cursor or --created-before.');
  }
  const connection = connect(options);
  const show = (message: ListedMessage) => print(options, message, lineOf(message));
  if (options.follow) {
    await follow(connection, { ...options, filter: filterOf(options), show });
    return;
  }
  const next = await answerOf(connection, listUpTo(connection, options, show));
  if (next !== null) tell(`There are more: go on with --cursor ${next}`);
}

/** @returns the cursor of what follows, or null. */
async function listUpTo(
  { parley }: Connection,
  options: ListOptions,
  show: (message: ListedMessage) => void,
): Promise<string | null> {
  let { cursor } = options;
  for (let left = options.limit; ; ) {
    const limit = Math.min(left, pageMost);
    const page = await parley.listMessages({ ...filterOf(options), limit, cursor });
    for (const message of page.messages) show(message);
    left -= page.messages.length;
    if (page.next_cursor === null || left <= 0) return page.next_cursor;
    cursor = page.next_cursor;
  }
}

function filterOf(options: ListOptions): MessageFilter {
  return {
    to: options.to,
    to_user_id: options.toUserId,
    status: options.status,
    reference: options.reference,
    created_after: timeOf(options.createdAfter),
    created_before: timeOf(options.createdBefore),
  };
}

/** @throws UsageError */
function timeOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new UsageError(`"${text}" is no time. Write it as 2026-11-21 or 2026-11-21T12:00:00Z.`);
  }
  return time.toISOString();
}

function lineOf(message: ListedMessage): string {
  return columns(
    [message.created_at, 24],
    [message.message_id, 36],
    [message.status, 11],
    [message.to ?? message.to_user_id ?? '', 15],
    [message.type, 8],
    [errorOf(message) ?? message.reference ?? '', 0],
  );
}

function detailsOf(message: Message): string {
  const facts: readonly (readonly [string, string | null])[] = [
    ['message', message.message_id],
    ['status', message.status],
    ['to', message.to ?? message.to_user_id],
    ['type', message.type],
    ['reference', message.reference],
    ['WhatsApp id', message.platform_message_id],
    ['send at', message.send_at],
    ['expires at', message.expires_at],
    ['error', errorOf(message)],
  ];
  return [
    ...facts.flatMap(([name, fact]) =>
      fact === null ? [] : [`${name.padEnd(12)}${printable(fact)}`],
    ),
    ...message.timeline.map(({ at, status, source }) => `${at}  ${status.padEnd(11)}  ${source}`),
  ].join('\n');
}

function errorOf({ error }: ListedMessage): string | null {
  if (error === null) return null;
  const { whatsapp_error_code: code, message } = error;
  return code === undefined ? message : `${code} ${message}`;
}
