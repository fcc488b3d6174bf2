import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Parley } from '../../typescript/src/index.js';
import { UsageError } from './failures.js';

const checkout = resolve(import.meta.dirname, '../../..');
const defaultUrl = 'http://127.0.0.1:3000';

/** Options of every command that calls the API. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly key?: string;
}

/** An installation, and the client that calls it. */
export interface Connection {
  readonly url: string;
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
  const { PARLEY_URL, PARLEY_KEY, PARLEY_SIGNING_SECRET } = process.env;
  const given = { url: options.url ?? PARLEY_URL, key: options.key ?? PARLEY_KEY };
  const { url: givenUrl, key } = given.url || given.key ? given : (readRun() ?? given);
  const url = givenUrl || defaultUrl;
  if (!key) throw new UsageError('which API key? Set PARLEY_KEY, or give --key.');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('the API key has a character that no key has. Copy it again.');
  }
  if (!isHttpUrl(url)) {
    throw new UsageError(`${url} is no address. It starts with http:// or https://`);
  }
  const parley = new Parley({
    baseUrl: url,
    apiKey: key,
    ...(PARLEY_SIGNING_SECRET && { signingSecret: PARLEY_SIGNING_SECRET }),
  });
  return { url, parley };
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Where `npm start` of this checkout serves, and its demo key. */
function readRun(): { url: string; key: string } | null {
  const path = resolve(checkout, process.env.DATA_DIR || '.parley', 'run.json');
  try {
    const run = JSON.parse(readFileSync(path, 'utf8')) as { api_url: string; api_key: string };
    process.stderr.write(`Using the address and the key of npm start, from ${path}\n`);
    return { url: run.api_url, key: run.api_key };
  } catch {
    return null;
  }
}
