import {
  ConnectionError,
  ParleyError,
  SendFailedError,
  ValidationFailedError,
} from '../../typescript/src/index.js';
import { printable } from './printable.js';

/** What the command ends with. */
export const exitCodes = { ok: 0, refused: 1, usage: 2, unreachable: 3 } as const;

/** What the user has to change in the command; the text says how. */
export class UsageError extends Error {}

/** Cannot connect, or nothing there that is Parley. */
export class UnreachableError extends Error {
  constructor(url: string, error: ConnectionError) {
    const repeat =
      error.idempotencyKey === null
        ? ''
        : `\nThe message may have been sent all the same. To try again without sending it twice, add ` +
          `--idempotency-key ${error.idempotencyKey}`;
    super(
      `cannot reach Parley at ${url}: ${reasonOf(error)}\n` +
        `Does it run there? Give its address with --url or PARLEY_URL.${repeat}`,
    );
  }
}

/** What the user reads about an error, and the exit code. */
export function explain(error: unknown): { text: string; exitCode: number } {
  if (error instanceof UsageError) return { text: error.message, exitCode: exitCodes.usage };
  if (error instanceof UnreachableError) {
    return { text: error.message, exitCode: exitCodes.unreachable };
  }
  if (error instanceof ParleyError) {
    return { text: textOf(error), exitCode: exitCodes.refused };
  }
  throw error;
}

/** Why `fetch` failed, in a few words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && error.message === '' ? code : error.message;
}

function textOf(error: ParleyError): string {
  const lines = [printable(error.message)];
  if (error instanceof ValidationFailedError) {
    for (const [field, wrong] of Object.entries(error.fields)) {
      lines.push(`  ${printable(field)}: ${printable(wrong)}`);
    }
  }
  if (error instanceof SendFailedError) {
    lines.push(`  message: ${error.messageId}`);
    if (error.platformCode !== null) {
      lines.push(`  WhatsApp: ${error.platformCode} ${printable(error.platformMessage ?? '')}`);
    }
  }
  if (error.code === 'FEED_STATE') {
    lines.push(
      'Switch on the event feed of this API key in the dashboard (API keys, Edit), or with',
      '  PATCH /api/v1/dashboard/api-keys/:id  { "event_feed": true }',
      'An API key cannot do that, so this command cannot either.',
    );
  }
  lines.push(`request id: ${error.requestId}`);
  return lines.join('\n');
}
