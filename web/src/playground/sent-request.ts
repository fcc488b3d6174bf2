import type { MessageDetails } from '../api/types.ts';
import { type Payload, textAt } from './payloads.ts';
import { kindOf, type PlaygroundType, playgroundType } from './playground-types.ts';

/** A request of ours that would send the same. */
export interface SentRequest {
  readonly type: PlaygroundType;
  readonly body: Payload;
}

/** The request behind a message, read from what went to WhatsApp; null when that is no longer kept, or no route of ours sends it. */
export function sentRequest(message: MessageDetails): SentRequest | null {
  const { platform_payload: payload } = message;
  const type = playgroundType(message.type);
  if (payload === null || type === undefined) return null;
  const body = {
    to: message.to ?? undefined,
    to_user_id: message.to_user_id ?? undefined,
    ...kindOf[type].read(payload),
    reply_to: textAt(payload, ['context', 'message_id']) || undefined,
    reference: message.reference ?? undefined,
  };
  // Without empty members.
  return { type, body: JSON.parse(JSON.stringify(body)) as Payload };
}
