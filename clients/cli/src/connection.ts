import type { Command } from 'commander';
import { ConnectionError, Parley } from '../../typescript/src/index.js';
import { UnreachableError, UsageError } from './failures.js';
import { type Login, readLogin } from './login-file.js';
import { readRun } from './npm-start.js';
import { version } from './version.js';

export const defaultUrl = 'http://127.0.0.1:3000';
export const userAgent = `parley-cli/${version}`;

/** Options of every command that calls the API. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** An installation, the key, and the client that calls it. */
export interface Connection extends Login {
  readonly parley: Parley;
}

export function addConnectionOptions(command: Command): Command {
  return command
    .option('--url <url>', `address of Parley (PARLEY_URL; default ${defaultUrl})`)
    .option('--key <key>', 'API key (better: PARLEY_KEY, which other users do not see)')
    .option('--json', 'print JSON, for programs');
}

/** @throws UsageError */
export function connect(options: ConnectionOptions): Connection {
  return connectionOf(chosen(options));
}

/** @throws UsageError */
export function connectionOf({ url, key }: Login): Connection {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('the API key has a character that no key has. Copy it again.');
  }
  checkUrl(url);
  const { PARLEY_SIGNING_SECRET: signingSecret } = process.env;
  const parley = new Parley({
    baseUrl: url,
    apiKey: key,
    userAgent,
    ...(signingSecret && { signingSecret }),
  });
  return { url, key, parley };
}

/** What a call answers. @throws UnreachableError where nothing does. */
export async function answerOf<Answer>({ url }: Login, call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof ConnectionError ? UnreachableError.ofParley(url, error) : error;
  }
}

/** @throws UsageError */
export function checkUrl(text: string): void {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return;
  throw new UsageError(`${text} is no address. It starts with http:// or https://`);
}

/** Options, then variables, then what login saved, then `npm start` of this checkout. */
function chosen(options: ConnectionOptions): Login {
  const url = options.url ?? process.env.PARLEY_URL;
  const key = options.key ?? process.env.PARLEY_KEY;
  if (url && key) return { url, key };
  const saved = readLogin();
  if (key) return { url: url || saved?.url || defaultUrl, key };
  if (saved !== null) {
    // A key must not reach another server than the one that it was saved for.
    if (!url || isSameServer(url, saved.url)) return { url: url || saved.url, key: saved.key };
    throw new UsageError(
      `which API key? The saved one is for ${saved.url}. Set PARLEY_KEY, or run parley login --url ${url}`,
    );
  }
  const run = url ? null : readRun();
  if (run === null) {
    throw new UsageError('which API key? Run parley login, set PARLEY_KEY, or give --key.');
  }
  process.stderr.write(`Using the address and the key of npm start, from ${run.path}\n`);
  return { url: run.apiUrl, key: run.apiKey };
}

function isSameServer(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
