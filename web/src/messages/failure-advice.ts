import type { MessageDetails } from '../api/types.ts';

type Failed = Pick<MessageDetails, 'error' | 'resent_as' | 'status'>;

/** Whether the message can be sent again as a new one: no template and no other message took its place. */
export function maySendAgain({ error, resent_as: resentAs, status }: Failed): boolean {
  return (
    ['failed', 'unconfirmed'].includes(status) &&
    error?.fallback_message_id === undefined &&
    resentAs === null
  );
}

/** What Parley does next about a failed message, and what the user can do. */
export function failureAdvice({ retryable }: { retryable: boolean }, isOffered: boolean): string {
  const first = 'Parley does not try this message again.';
  const again = '“Send again…” sends a new message with the same content';
  if (retryable) {
    return isOffered
      ? `${first} It may succeed later: ${again}.`
      : `${first} The same content may succeed later.`;
  }
  return isOffered
    ? `${first} Remove the cause first: ${again}, which is otherwise refused again.`
    : `${first} The same content is refused again until the cause is removed.`;
}
