import { Command, CommanderError } from 'commander';
import { exitCodes, explain } from './failures.js';
import { addListen } from './listen.js';
import { addLogin } from './login.js';
import { addMessages } from './messages.js';
import { runFrom } from './npm-start.js';
import { addSend } from './send.js';
import { addTemplates } from './templates.js';
import { addTrigger } from './trigger.js';
import { version } from './version.js';

const details = `
Begin with parley login, which saves the address and a key. An option outweighs its variable:
--url outweighs PARLEY_URL, --key PARLEY_KEY; and variables outweigh what is saved. In a
checkout where npm start runs, nothing has to be said. If the key wants signed requests, set
PARLEY_SIGNING_SECRET.

Examples:
  parley login --url https://parley.example.com
  parley send text --to +14155550123 --body Hello
  parley list --follow
  parley listen --forward-to http://localhost:8080/hook
Each command has more: parley send --help

Exit codes: 0 done, 1 the API refused, 2 wrong usage, 3 cannot connect.`;

/**
 * Runs the command line.
 * @param checkout the folder of the checkout that it runs in, where it does.
 * @returns the exit code.
 */
export async function main(argv: readonly string[], checkout?: string): Promise<number> {
  if (checkout !== undefined) runFrom(checkout);
  // `parley listen | head -1`: the program that reads our output has ended.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.refused);
  });
  const program = new Command('parley')
    .description('Sends messages with Parley, and hears what comes of them.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', details)
    .enablePositionalOptions()
    .showHelpAfterError('(add --help to see how it is used)')
    .exitOverride();
  for (const add of [addLogin, addSend, addMessages, addListen, addTemplates, addTrigger]) {
    add(program);
  }
  try {
    await program.parseAsync(argv);
    return exitCodes.ok;
  } catch (error) {
    // It has said what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    const { text, exitCode } = explain(error);
    process.stderr.write(`error: ${text}\n`);
    return exitCode;
  }
}
