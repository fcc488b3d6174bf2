import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { type Message, SendFailedError } from '../../typescript/src/index.js';
import {
  addConnectionOptions,
  answerOf,
  type Connection,
  type ConnectionOptions,
  connect,
} from './connection.js';
import { RefusedError, UsageError } from './failures.js';
import { readRun } from './npm-start.js';
import { wholeNumber } from './numbers.js';
import { print, printable } from './output.js';
import { askSimulator, namedSimulator } from './simulator.js';

interface TriggerOptions extends ConnectionOptions {
  readonly simulator?: string;
}

interface ReplyOptions extends TriggerOptions {
  readonly text?: string;
  readonly button?: string;
  readonly row?: string;
  readonly reaction?: string;
}

interface MessageOptions {
  readonly simulator?: string;
  readonly json?: boolean;
  readonly from: string;
  readonly text: string;
  readonly phoneNumberId?: string;
}

interface StatusOptions extends TriggerOptions {
  readonly to: string;
}

interface FailureOptions extends TriggerOptions {
  readonly code: number;
  readonly later?: boolean;
}

const statuses = ['sent', 'delivered', 'read'] as const;
const waitMs = 60_000;
const lookEveryMs = 250;

const details = `
The simulator plays WhatsApp for test keys, and for everything under npm start. reply and
message ask it to play a user; status and failure send a text to a number that it plays.

Examples:
  parley trigger reply 01a1fe28-8c51-7333-94e3-3a4f233ab691 --button yes
  parley trigger message --from +14155550123 --text 'Is anybody there?'
  parley trigger status read
  parley trigger failure --code 131026 --later`;

const replyDetails = `
Examples:
  parley trigger reply 01a1fe28-8c51-7333-94e3-3a4f233ab691 --text Thanks
  parley trigger reply 01a1fe28-8c51-7333-94e3-3a4f233ab691 --button yes`;

const messageDetails = `
Example:
  parley trigger message --from +14155550123 --text 'Is anybody there?'`;

const statusDetails = `
It ends when the message has that status, which parley listen then shows, too.

Example:
  parley trigger status read`;

const failureDetails = `
WhatsApp refuses the message at once, or with --later accepts it and then reports that it
failed. docs/errors.md lists the codes.

Examples:
  parley trigger failure
  parley trigger failure --code 131047 --later`;

export function addTrigger(program: Command): void {
  const trigger = program
    .command('trigger')
    .summary('let the simulator answer, report or fail')
    .description('Lets the simulator play a reply, a message, a status or a failure.')
    .addHelpText('after', details);

  addTriggerOptions(
    trigger
      .command('reply')
      .description('Lets the recipient of a message answer it.')
      .argument('<id>', 'id of a message that you have sent')
      .option('--text <text>', 'they write this')
      .option('--button <id>', 'they tap this button')
      .option('--row <id>', 'they choose this row of a list')
      .option('--reaction <emoji>', 'they react with this')
      .addHelpText('after', replyDetails),
  ).action(reply);

  addSimulatorOption(
    trigger
      .command('message')
      .description('Lets a user write of their own accord.')
      .requiredOption('--from <number>', "the user's phone number, such as +14155550123")
      .requiredOption('--text <text>', 'what they write')
      .option('--phone-number-id <id>', 'the business number; default: the last that wrote to them')
      .option('--json', 'print JSON, for programs')
      .addHelpText('after', messageDetails),
  ).action(message);

  addTriggerOptions(
    trigger
      .command('status')
      .description('Sends a text, and waits until it has a status.')
      .usage('sent|delivered|read [options]')
      .argument('<status>', 'sent, delivered or read')
      .option('--to <number>', 'a phone number that the simulator plays', '+14155550123')
      .addHelpText('after', statusDetails),
  ).action(status);

  addTriggerOptions(
    trigger
      .command('failure')
      .description('Sends a text that fails.')
      .option('--code <code>', "WhatsApp's code", wholeNumber(1, 999_999), 131_026)
      .option('--later', 'WhatsApp accepts it first')
      .addHelpText('after', failureDetails),
  ).action(failure);
}

function addTriggerOptions(command: Command): Command {
  return addSimulatorOption(addConnectionOptions(command));
}

function addSimulatorOption(command: Command): Command {
  return command.addOption(
    new Option('--simulator <url>', 'address of the simulator (PARLEY_SIMULATOR)'),
  );
}

async function reply(id: string, options: ReplyOptions): Promise<void> {
  const { text, button, row, reaction } = options;
  const given = Object.entries({ text, button_id: button, row_id: row, reaction }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length !== 1) throw new UsageError('give one of --text, --button, --row, --reaction.');
  const connection = connect(options);
  const sent = await answerOf(connection, connection.parley.getMessage(id));
  const wamid = sent.platform_message_id;
  if (wamid === null) {
    throw new RefusedError(`the message is ${sent.status}: nobody has got it who could answer.`);
  }
  const path = `messages/${encodeURIComponent(wamid)}/reply`;
  await tellReceived(options, path, Object.fromEntries(given));
}

async function message(options: MessageOptions): Promise<void> {
  const { from, text, phoneNumberId } = options;
  await tellReceived(options, 'inbound', {
    from,
    text,
    ...(phoneNumberId && { phone_number_id: phoneNumberId }),
  });
}

/** Prints the id that the event has as `data.message.id`. */
async function tellReceived(
  options: { readonly simulator?: string; readonly json?: boolean },
  path: string,
  body: object,
): Promise<void> {
  const { id } = await askSimulator<{ id: string }>(options.simulator, path, body);
  print(options, { id }, `${id} received`);
}

async function status(wanted: string, options: StatusOptions): Promise<void> {
  const rank = statuses.indexOf(wanted as (typeof statuses)[number]);
  if (rank < 0) throw new UsageError(`"${wanted}" is none of ${statuses.join(', ')}.`);
  const reached = new Set<string>(statuses.slice(rank));
  const connection = connectToSimulated(options);
  const sent = await send(connection, options.to);
  const end = await awaited(connection, sent.message_id, (now) => reached.has(now));
  print(options, end, `${end.message_id} ${end.status}`);
}

async function failure(options: FailureOptions): Promise<void> {
  const connection = connectToSimulated(options);
  // The simulator reads from these numbers what to do.
  const to = `+1555${options.later ? 1 : 0}${String(options.code).padStart(6, '0')}`;
  const id = await send(connection, to).then(
    ({ message_id }) => message_id,
    (error: unknown) => {
      if (error instanceof SendFailedError) return error.messageId;
      throw error;
    },
  );
  const end = await awaited(connection, id, () => false);
  const { whatsapp_error_code: code = '', message: text = '' } = end.error ?? {};
  print(options, end, printable(`${id} ${end.status} ${code} ${text}`));
}

/** @throws UsageError for a key whose messages may reach people. */
function connectToSimulated(options: TriggerOptions): Connection {
  const connection = connect(options);
  const { key } = connection;
  const isSimulated = key.startsWith('pk_test_') || key === readRun()?.apiKey;
  if (isSimulated || namedSimulator(options.simulator)) return connection;
  throw new UsageError(
    'this key sends to real phones. Use a test key (pk_test_…), or name the simulator that plays ' +
      'WhatsApp for this installation with --simulator.',
  );
}

function send(connection: Connection, to: string) {
  const text = { to, body: 'Sent by parley trigger' };
  return answerOf(connection, connection.parley.sendText(text));
}

/** The message once it has a status that is wanted, or has failed. @throws RefusedError */
async function awaited(
  connection: Connection,
  id: string,
  isWanted: (status: Message['status']) => boolean,
): Promise<Message> {
  for (const startedAt = Date.now(); ; ) {
    const now = await answerOf(connection, connection.parley.getMessage(id));
    if (isWanted(now.status) || now.status === 'failed') return now;
    if (Date.now() - startedAt > waitMs) {
      throw new RefusedError(
        `${id} is ${now.status} after ${waitMs / 1_000} s. Does a worker run, and does the simulator ` +
          'report to this installation? parley get shows what becomes of it.',
      );
    }
    await pause(lookEveryMs);
  }
}
