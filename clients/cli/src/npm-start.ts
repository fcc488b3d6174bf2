import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** What `npm start` of the checkout tells about itself while it runs. */
export interface Run {
  readonly path: string;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly simulatorUrl: string;
}

/** The checkout that the command runs in; null where it is a package of its own. */
let checkout: string | null = null;

export function runFrom(folder: string): void {
  checkout = folder;
}

/** Null where it does not run. */
export function readRun(): Run | null {
  if (checkout === null) return null;
  const path = resolve(checkout, process.env.DATA_DIR || '.parley', 'run.json');
  try {
    const run = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
    const { api_url: apiUrl = '', api_key: apiKey = '', simulator_url: simulatorUrl = '' } = run;
    return { path, apiUrl, apiKey, simulatorUrl };
  } catch {
    return null;
  }
}
