import { checkUrl, userAgent } from './connection.js';
import { RefusedError, reasonOf, UnreachableError, UsageError } from './failures.js';
import { readRun } from './npm-start.js';
import { printable } from './output.js';

const timeoutMs = 15_000;

/** The simulator that the user names. */
export function namedSimulator(given: string | undefined): string | undefined {
  return given || process.env.PARLEY_SIMULATOR;
}

/**
 * Lets the simulator that the user names, or else the one of `npm start`, do something.
 * @throws UsageError, RefusedError, UnreachableError
 */
export async function askSimulator<Answer>(
  given: string | undefined,
  path: string,
  body: object,
): Promise<Answer> {
  const url = namedSimulator(given) || readRun()?.simulatorUrl;
  if (!url) {
    throw new UsageError('which simulator? Give --simulator, or set PARLEY_SIMULATOR.');
  }
  checkUrl(url);
  const response = await fetch(new URL(`/_simulator/${path}`, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw unreachable(url, reasonOf(error));
  });
  const answer = (await response.json().catch(() => null)) as
    | (Answer & { error?: { message?: string } })
    | null;
  if (response.ok && answer !== null) return answer;
  const message = answer?.error?.message;
  if (message !== undefined) throw new RefusedError(`the simulator says: ${printable(message)}`);
  throw unreachable(url, `a ${response.status} that is not the simulator's`);
}

function unreachable(url: string, reason: string): UnreachableError {
  return new UnreachableError(
    `cannot reach the simulator at ${url}: ${reason}\n` +
      'Does it run there? Give its address with --simulator or PARLEY_SIMULATOR.',
  );
}
