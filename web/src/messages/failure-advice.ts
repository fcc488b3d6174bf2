import { isHopeless } from '../../../libs/whatsapp/error-texts.ts';
import type { MessageDetails } from '../api/types.ts';
import { knownTextOf } from '../parts/failure-meanings.ts';

type Failed = Pick<MessageDetails, 'error' | 'resent_as' | 'retried_in' | 'status'>;

/** Whether the message can be sent again as a new one: no template and no other message took its place. */
export function maySendAgain({ error, status, ...again }: Failed): boolean {
  return (
    ['failed', 'unconfirmed'].includes(status) &&
    error?.fallback_message_id === undefined &&
    again.resent_as === null &&
    again.retried_in === null
  );
}

/** A list does not say whether the window is open; then it counts as closed. */
type Objectionable = Pick<MessageDetails, 'error' | 'type'> &
  Partial<Pick<MessageDetails, 'window'>>;

/** What to read before a message is sent again that another try cannot help; null for all others. */
export function objection({ error, type, window }: Objectionable): string | null {
  const code = String(error?.whatsapp_error_code ?? '');
  const isWindowOpen = window?.state === 'open';
  const advice = isHopeless(code, { type, isWindowOpen }) && knownTextOf(code, type)?.advice;
  return advice ? `Another try most likely fails as well (${code}). ${advice}` : null;
}

/**
 * The API's message, which begins with what the code means in general; or what it means for this message, where that is
 * something else: WhatsApp's details after the colon are about the general meaning then.
 */
export const headline = (message: string, general = '', own = general): string =>
  own !== general && message.startsWith(general) ? own : message;

interface AdviceFor {
  readonly retryable: boolean;
  /** Whether “Send again…” stands on the page. */
  readonly isOffered: boolean;
  /** What is known to help; undefined for an unknown cause. */
  readonly known?: string | undefined;
}

const again = '“Send again…” sends a new message with the same content';

/** What to do about a failed message, and what Parley does next. */
export function failureAdvice({ retryable, isOffered, known }: AdviceFor): string {
  const first = 'Parley does not try this message again.';
  if (retryable) {
    const next = isOffered
      ? `It may succeed later: ${again}.`
      : 'The same content may succeed later.';
    return [known, first, next].filter(Boolean).join(' ');
  }
  // What is known to help may be something else than the same content once more.
  if (known) return `${known} ${first}`;
  return isOffered
    ? `${first} Remove the cause first: ${again}, which is otherwise refused again.`
    : `${first} The same content is refused again until the cause is removed.`;
}

/** What an unconfirmed message is, and what to do about it. */
export function unconfirmedAdvice(isOffered: boolean): string {
  const urgent = isOffered ? `${again}; the recipient may then get it twice` : 'ask the recipient';
  return (
    'No answer of WhatsApp to this message reached Parley: the recipient may have it, or not. ' +
    `A report of WhatsApp settles it, often within minutes: wait for that first. If it is urgent, ${urgent}.`
  );
}
