import type { MessageStatus } from '../messages/message-status.js';

/** A message whose state has become of interest to the API process where its caller waits. */
export interface ReplyHint {
  readonly id: string;
  readonly status: MessageStatus;
}

/**
 * Carries word of settled messages from workers to waiting callers. It is a hint: whoever waits
 * also looks at the rows, so a lost hint costs half a second and nothing else.
 */
export abstract class ReplyHints {
  /**
   * Calls `listener` with every hint addressed to this process. Resolves when listening, or when it
   * turned out that the store is away; it goes on trying.
   */
  abstract listen(processId: string, listener: (hints: ReplyHint[]) => void): Promise<void>;

  /** Sends hints to one API process. Never rejects. */
  abstract publish(processId: string, hints: readonly ReplyHint[]): Promise<void>;

  abstract close(): Promise<void>;
}

/** At most this many hints in one message: PostgreSQL takes 8,000 bytes in a NOTIFY. */
export const hintsMax = 100;

/** The compact form on the wire: `id:status`, separated by spaces. */
export function encodeHints(hints: readonly ReplyHint[]): string {
  return hints.map(({ id, status }) => `${id}:${status}`).join(' ');
}

export function decodeHints(text: string): ReplyHint[] {
  return text.split(' ').flatMap((part) => {
    const [id, status] = part.split(':');
    return id && status ? [{ id, status: status as MessageStatus }] : [];
  });
}
