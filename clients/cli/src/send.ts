import { readFileSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { Parley, SendOptions, SentMessage, SentTemplate } from '../../typescript/src/index.js';
import { addConnectionOptions, answerOf, type ConnectionOptions, connect } from './connection.js';
import { UsageError } from './failures.js';
import { print } from './output.js';

interface CommonOptions extends ConnectionOptions {
  readonly idempotencyKey?: string;
}

interface TextOptions extends CommonOptions {
  readonly to: string;
  readonly body: string;
}

interface ButtonsOptions extends TextOptions {
  readonly button: Pair[];
}

interface TemplateOptions extends CommonOptions {
  readonly to: string;
  readonly name: string;
  readonly language: string;
  readonly variable?: Pair[];
}

interface JsonOptions extends CommonOptions {
  readonly type?: Type;
  readonly jsonBody?: string;
}

type Pair = readonly [string, string];

/** The client's method for each `--type`. */
const methods = {
  text: 'sendText',
  buttons: 'sendButtons',
  list: 'sendList',
  media: 'sendMedia',
  'cta-url': 'sendLinkButton',
  'location-request': 'sendLocationRequest',
  'contact-request': 'sendContactRequest',
  flow: 'sendFlow',
  carousel: 'sendCarousel',
  location: 'sendLocation',
  contacts: 'sendContacts',
  reaction: 'sendReaction',
  template: 'sendTemplate',
  'raw-template': 'sendRawTemplate',
} as const satisfies Record<string, keyof Parley>;

type Type = keyof typeof methods;

const examples = `
It prints the message's id and status.

Examples:
  parley send text --to +14155550123 --body Hello
  parley send buttons --to +14155550123 --body 'At home?' --button yes=Yes --button no=No
  parley send template --to +14155550123 --name order_update --language en --variable name=Ann
  echo '{ "to": "+14155550123", "latitude": 52.5, "longitude": 13.4 }' |
    parley send --type location --json-body -`;

export function addSend(program: Command): void {
  const send = program
    .command('send')
    .summary('send a message')
    .description('Sends a message: text, buttons or a template; anything else as JSON.')
    .usage('text|buttons|template [options]\n       parley send --type <type> --json-body <file>')
    .enablePositionalOptions()
    .addOption(new Option('--type <type>', 'what the JSON is').choices(Object.keys(methods)))
    .option('--json-body <file>', 'the message as the API takes it; - reads it from stdin')
    .addHelpText('after', examples)
    .action(sendJson);
  addCommonOptions(send);

  addCommonOptions(
    send
      .command('text')
      .description('Sends a text.')
      .requiredOption('--to <number>', 'phone number, such as +14155550123')
      .requiredOption('--body <text>', 'the text'),
  ).action(({ to, body }: TextOptions, command: Command) => deliver(command, 'text', { to, body }));

  addCommonOptions(
    send
      .command('buttons')
      .description('Sends a text with buttons.')
      .requiredOption('--to <number>', 'phone number, such as +14155550123')
      .requiredOption('--body <text>', 'the text above the buttons')
      .requiredOption('--button <id=title>', 'a button; repeat it for the next', addPair),
  ).action(({ to, body, button }: ButtonsOptions, command: Command) => {
    const buttons = button.map(([id, title]) => ({ id, title }));
    return deliver(command, 'buttons', { to, body, buttons });
  });

  addCommonOptions(
    send
      .command('template')
      .description('Sends a template.')
      .requiredOption('--to <number>', 'phone number, such as +14155550123')
      .requiredOption('--name <name>', "the template's name")
      .requiredOption('--language <code>', "the template's language, such as en")
      .option('--variable <name=value>', 'a variable; repeat it for the next', addPair),
  ).action(({ to, name, language, variable = [] }: TemplateOptions, command: Command) => {
    const variables = Object.fromEntries(variable);
    return deliver(command, 'template', { to, template_name: name, language, variables });
  });
}

function addCommonOptions(command: Command): Command {
  return addConnectionOptions(command).option(
    '--idempotency-key <key>',
    'sends once for all calls with this key (default: a new key)',
  );
}

function addPair(text: string, earlier: Pair[] = []): Pair[] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`"${text}" needs a name, = and a value.`);
  return [...earlier, [text.slice(0, at), text.slice(at + 1)]];
}

async function sendJson({ type, jsonBody }: JsonOptions, command: Command): Promise<void> {
  if (type === undefined || jsonBody === undefined) {
    throw new UsageError(
      'send what? Give text, buttons or template, or --type with --json-body. See parley send --help',
    );
  }
  await deliver(command, type, await readBody(jsonBody));
}

/** @throws UsageError */
async function readBody(path: string): Promise<object> {
  const name = path === '-' ? 'stdin' : path;
  try {
    const body: unknown = JSON.parse(
      path === '-' ? await readText(process.stdin) : readFileSync(path, 'utf8'),
    );
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  } catch (error) {
    throw new UsageError(`cannot read the message from ${name}: ${(error as Error).message}`);
  }
  throw new UsageError(`${name} has JSON that is no object.`);
}

async function deliver(command: Command, type: Type, message: object): Promise<void> {
  // Also what stands before the name of the type.
  const options = command.optsWithGlobals<CommonOptions>();
  const connection = connect(options);
  const { parley } = connection;
  const send = parley[methods[type]].bind(parley) as (
    message: object,
    options: SendOptions,
  ) => Promise<SentMessage | SentTemplate>;
  const { idempotencyKey } = options;
  const sent = await answerOf(connection, send(message, { idempotencyKey }));
  const fallback = sent.sent_as === 'fallback' ? ' (as fallback)' : '';
  print(options, sent, `${sent.message_id} ${sent.status}${fallback}`);
}
