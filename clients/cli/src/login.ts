import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import type { Command } from 'commander';
import { ParleyError } from '../../typescript/src/index.js';
import {
  answerOf,
  type Connection,
  type ConnectionOptions,
  connectionOf,
  defaultUrl,
} from './connection.js';
import { UsageError } from './failures.js';
import { deleteLogin, loginPath, writeLogin } from './login-file.js';
import { print, tell } from './output.js';

/** Refusals of a key that is right, and cannot read its feed. */
const ofRightKeys = new Set<string>(['FEED_STATE', 'PERMISSION_DENIED']);

const loginDetails = `
It asks for what is missing; without a terminal, it reads the key from stdin. It checks both
with one read that uses nothing of the key's limits, and saves them in a file that only you
may read. PARLEY_URL and PARLEY_KEY outweigh what is saved.

Examples:
  parley login
  parley login --url https://parley.example.com < key.txt`;

export function addLogin(program: Command): void {
  program
    .command('login')
    .summary('save address and key')
    .description('Saves the address of an installation and a key of it, for later commands.')
    .option('--url <url>', 'address of Parley')
    .option('--key <key>', 'API key (better: type it in, or pipe it)')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', loginDetails)
    .action(login);
  program
    .command('logout')
    .summary('forget the saved address and key')
    .description('Forgets the saved address and key. The key itself stays valid.')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', '\nExample:\n  parley logout')
    .action(logout);
}

async function login(options: ConnectionOptions): Promise<void> {
  const url = options.url ?? ((await ask(`Address of Parley [${defaultUrl}]: `)) || defaultUrl);
  const key = (options.key ?? (await readKey())).trim();
  if (key === '') throw new UsageError('which API key? Type it in, pipe it, or give --key.');
  const connection = connectionOf({ url, key });
  const hasFeed = await check(connection);
  writeLogin({ url, key });
  const path = loginPath();
  print(options, { url, path, event_feed: hasFeed }, `Logged in to ${url}; saved in ${path}`);
  if (!hasFeed) tell('This key cannot read an event feed, which parley listen needs.');
  const { PARLEY_URL, PARLEY_KEY } = process.env;
  const set = Object.entries({ PARLEY_URL, PARLEY_KEY }).filter(([, value]) => value);
  for (const [name] of set) tell(`${name} is set, and outweighs what is saved.`);
}

function logout(options: ConnectionOptions): void {
  const path = loginPath();
  const deleted = deleteLogin();
  const line = deleted ? `Logged out; ${path} is deleted.` : 'There was no saved login.';
  print(options, { path, deleted }, line);
}

/** @returns whether the key has a feed. */
async function check(connection: Connection): Promise<boolean> {
  try {
    await answerOf(connection, connection.parley.listEvents({ limit: 1 }));
    return true;
  } catch (error) {
    if (error instanceof ParleyError && ofRightKeys.has(error.code)) return false;
    throw error;
  }
}

async function readKey(): Promise<string> {
  if (process.stdin.isTTY) return ask('API key (it is not shown): ', { isSecret: true });
  return (await readText(process.stdin)).split('\n')[0] ?? '';
}

/** A line that the user types. @throws UsageError if nobody can, or they give up. */
async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError('which address? Give it with --url.');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? nowhere : process.stderr;
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  const end = new AbortController();
  reader.once('close', () => end.abort());
  try {
    if (isSecret) process.stderr.write(question);
    return await reader.question(isSecret ? '' : question, { signal: end.signal });
  } catch {
    throw new UsageError('nothing was given, and nothing is saved.');
  } finally {
    reader.close();
    if (isSecret) process.stderr.write('\n');
  }
}
