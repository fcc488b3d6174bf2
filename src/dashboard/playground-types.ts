import type { Permission } from '../api-keys/api-key.entity.js';
import type { Principal } from '../auth/principal.js';
import { validate } from '../http/body.pipe.js';
import { ButtonMessageDto } from '../interactive-messages/button-message.dto.js';
import { buttonDraft, listDraft } from '../interactive-messages/interactive-payloads.js';
import { ListMessageDto } from '../interactive-messages/list-message.dto.js';
import { buttonWarnings, listWarnings } from '../interactive-messages/platform-limits.js';
import type { MessageDraft } from '../messages/message.js';

/** A payload that its own route would accept. */
export interface PreparedMessage {
  /** The validated body. */
  readonly body: object;
  readonly draft: MessageDraft;
  /** What only WhatsApp would refuse. */
  readonly warnings: readonly string[];
}

/** A kind of message that the playground can try: what its own route does, without the route. */
export interface PlaygroundType {
  readonly permission: Permission;
  readonly route: string;
  /** @throws AppError, the same as the route's own for a bad payload. */
  prepare(payload: object, principal: Principal): Promise<PreparedMessage>;
}

function interactive<T extends object>(
  name: string,
  dto: new () => T,
  draftOf: (message: T) => MessageDraft,
  warningsOf: (message: T) => string[],
): PlaygroundType {
  return {
    permission: 'send_text',
    route: `/api/v1/external/messages/interactive/${name}`,
    prepare: async (payload) => {
      const body = validate(dto, payload);
      return { body, draft: draftOf(body), warnings: warningsOf(body) };
    },
  };
}

/** Every kind, by its name in the request. */
export const playgroundTypes: ReadonlyMap<string, PlaygroundType> = new Map([
  ['list', interactive('list', ListMessageDto, listDraft, listWarnings)],
  ['button', interactive('button', ButtonMessageDto, buttonDraft, buttonWarnings)],
]);
