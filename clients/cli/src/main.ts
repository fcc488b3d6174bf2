import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { exitCodes, explain } from './failures.js';
import { addListen } from './listen.js';
import { addSend } from './send.js';

const details = `
An option outweighs its variable: --url outweighs PARLEY_URL, --key PARLEY_KEY. Without all
of them, it uses the address and the key of npm start, if that runs in this checkout.
If the key wants signed requests, set PARLEY_SIGNING_SECRET.

Exit codes: 0 done, 1 the API refused, 2 wrong usage, 3 cannot connect.`;

/** Runs the command line. @returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  // `parley listen | head -1`: the program that reads our output has ended.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.refused);
  });
  const program = new Command('parley')
    .description('Sends messages with Parley, and hears what comes of them.')
    .version(versionOfCheckout(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', details)
    .enablePositionalOptions()
    .showHelpAfterError('(add --help to see how it is used)')
    .exitOverride();
  addListen(program);
  addSend(program);
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

function versionOfCheckout(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
