import {
  ConnectionError,
  ParleyError,
  SendFailedError,
  ValidationFailedError,
} from '../../typescript/src/index.js';
import { printable } from './output.js';
import { version } from './version.js';

/** What the command ends with. */
export const exitCodes = { ok: 0, refused: 1, usage: 2, unreachable: 3 } as const;

/** What the user has to change in the command; the text says how. */
export class UsageError extends Error {}

/** Something refused that is not the API; the text says what. */
export class RefusedError extends Error {}

/** Cannot connect, or nothing there that answers as it should. */
export class UnreachableError extends Error {
  static ofParley(url: string, error: ConnectionError): UnreachableError {
    const repeat =
      error.idempotencyKey === null
        ? ''
        : `\nThe message may have been sent all the same. To try again without sending it twice, add ` +
          `--idempotency-key ${error.idempotencyKey}`;
    return new UnreachableError(
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
  if (error instanceof RefusedError) return { text: error.message, exitCode: exitCodes.refused };
  if (error instanceof ParleyError) {
    return { text: textOf(error), exitCode: exitCodes.refused };
  }
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    text: `${printable(text)}\nThis is a mistake in parley ${version}. Please report it with the command that you ran.`,
    exitCode: exitCodes.refused,
  };
}

/** Why `fetch` failed, in a few words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && error.message === '' ? code : error.message;
}

/** What to do about an error, where its own text does not say it. */
const advice: Readonly<Record<string, readonly string[]>> = {
  INVALID_API_KEY: ['Look at the key and at the address; parley login saves others.'],
  MESSAGE_NOT_FOUND: ['parley list shows the messages of this key.'],
  TEMPLATE_NOT_FOUND: ['parley templates list shows what there is.'],
  INVALID_SIGNATURE: ['This key wants signed requests: set PARLEY_SIGNING_SECRET.'],
  FEED_STATE: [
    'Switch on the event feed of this API key in the dashboard (API keys, Edit), or with',
    '  PATCH /api/v1/dashboard/api-keys/:id  { "event_feed": true }',
    'An API key cannot do that, so this command cannot either.',
  ],
};

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
  lines.push(...(advice[error.code] ?? []));
  lines.push(`request id: ${error.requestId}`);
  return lines.join('\n');
}
