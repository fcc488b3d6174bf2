import { Injectable } from '@nestjs/common';
import type { Permission } from '../api-keys/api-key.entity.js';
import type { Principal } from '../auth/principal.js';
import { validate } from '../http/body.pipe.js';
import { ButtonMessageDto } from '../interactive-messages/button-message.dto.js';
import { buttonDraft, listDraft } from '../interactive-messages/interactive-payloads.js';
import { ListMessageDto } from '../interactive-messages/list-message.dto.js';
import { buttonWarnings, listWarnings } from '../interactive-messages/platform-limits.js';
import { DirectMessages } from '../messages/direct-messages.service.js';
import { MediaMessageDto } from '../messages/media-message.dto.js';
import type { MessageDraft } from '../messages/message.js';
import { TextMessageDto } from '../messages/text-message.dto.js';

/** The kinds of messages that the playground can try. */
export const playgroundTypeNames = ['list', 'button', 'text', 'media'] as const;

export type PlaygroundTypeName = (typeof playgroundTypeNames)[number];

/** A payload that its own route would accept. */
export interface PreparedMessage {
  /** The validated body. */
  readonly body: object;
  readonly draft: MessageDraft;
  /** What only WhatsApp would refuse. */
  readonly warnings: readonly string[];
}

/** What the route of a kind does with a body, without the route. */
export interface PlaygroundType {
  readonly permission: Permission;
  readonly route: string;
  /** @throws AppError, the same as the route's own for a bad payload. */
  prepare(payload: object, principal: Principal): Promise<PreparedMessage>;
}

interface Kind<T extends object> {
  readonly path: string;
  readonly permission: Permission;
  readonly dto: new () => T;
  readonly draft: (message: T, principal: Principal) => MessageDraft | Promise<MessageDraft>;
  readonly warnings?: (message: T) => string[];
}

function typeOf<T extends object>(kind: Kind<T>): PlaygroundType {
  return {
    permission: kind.permission,
    route: `/api/v1/external/messages/${kind.path}`,
    prepare: async (payload, principal) => {
      const body = validate(kind.dto, payload);
      return {
        body,
        draft: await kind.draft(body, principal),
        warnings: kind.warnings?.(body) ?? [],
      };
    },
  };
}

/** Every kind, by its name in the request. */
@Injectable()
export class PlaygroundTypes {
  readonly byName: Readonly<Record<PlaygroundTypeName, PlaygroundType>>;

  constructor(direct: DirectMessages) {
    this.byName = {
      list: typeOf({
        path: 'interactive/list',
        permission: 'send_text',
        dto: ListMessageDto,
        draft: listDraft,
        warnings: listWarnings,
      }),
      button: typeOf({
        path: 'interactive/button',
        permission: 'send_text',
        dto: ButtonMessageDto,
        draft: buttonDraft,
        warnings: buttonWarnings,
      }),
      text: typeOf({
        path: 'text',
        permission: 'send_text',
        dto: TextMessageDto,
        draft: (message, principal) => direct.text(principal, message),
      }),
      media: typeOf({
        path: 'media',
        permission: 'send_media',
        dto: MediaMessageDto,
        draft: (message, principal) => direct.media(principal, message),
      }),
    };
  }
}
