import { Injectable } from '@nestjs/common';
import type { Permission } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { DirectMessages } from '../direct-messages/direct-messages.service.js';
import { MediaMessageDto } from '../direct-messages/media/media-message.dto.js';
import { TextMessageDto } from '../direct-messages/text/text-message.dto.js';
import { FreeFormMessages } from '../fallbacks/free-form-messages.service.js';
import { validate } from '../http/validation/body.pipe.js';
import { ButtonMessageDto } from '../interactive-messages/button/button-message.dto.js';
import { buttonDraft } from '../interactive-messages/button/button-payload.js';
import { ListMessageDto } from '../interactive-messages/list/list-message.dto.js';
import { listDraft } from '../interactive-messages/list/list-payload.js';
import type { MessageDraft } from '../messages/message.js';
import type { SentMessageDto } from '../messages/message-answers.dto.js';
import type { DraftSource } from '../messages/sends/send.service.js';
import { RawTemplateDto, TemplateSendDto } from '../templates/sends/template-messages.dto.js';
import { TemplateMessages } from '../templates/sends/template-messages.service.js';
import { sentTemplate } from '../templates/sends/template-payloads.js';
import { buttonWarnings, listWarnings } from './length-warnings.js';

/** A payload that its own route would accept. */
export interface PreparedMessage {
  /** The validated body. */
  readonly body: object;
  readonly draft: MessageDraft;
  /** What WhatsApp will refuse, though it is valid here. */
  readonly warnings: readonly string[];
}

/** A kind of message that the playground can try: what its own route does, without the route. */
export interface PlaygroundType {
  readonly permission: Permission;
  readonly route: string;
  /** @throws AppError, the same as the route's own for a bad payload. */
  prepare(payload: object, principal: Principal): Promise<PreparedMessage>;
  /** The route's own answer to a send. */
  answer(sent: SentMessageDto, payload: object): SentMessageDto;
}

/** The kinds, as a request names them. */
export const playgroundTypeNames = [
  'list',
  'button',
  'text',
  'media',
  'template',
  'template_send',
] as const;

export type PlaygroundTypeName = (typeof playgroundTypeNames)[number];

interface TypeOptions<T> {
  readonly permission: Permission;
  readonly dto: new () => T;
  readonly draftOf: (message: T, principal: Principal) => DraftSource;
  readonly warningsOf?: (message: T) => string[];
  readonly answerOf?: (sent: SentMessageDto, message: T) => SentMessageDto;
}

function typeAt<T extends object>(path: string, options: TypeOptions<T>): PlaygroundType {
  const { permission, dto, draftOf, warningsOf, answerOf } = options;
  return {
    permission,
    route: `/api/v1/external/messages/${path}`,
    prepare: async (payload, principal) => {
      const body = validate(dto, payload);
      const source = draftOf(body, principal);
      const draft = typeof source === 'function' ? await source() : source;
      return { body, draft, warnings: warningsOf?.(body) ?? [] };
    },
    answer: (sent, payload) => answerOf?.(sent, payload as T) ?? sent,
  };
}

/** Every kind of message that the playground can try. */
@Injectable()
export class PlaygroundTypes {
  private readonly types: Readonly<Record<PlaygroundTypeName, PlaygroundType>>;

  constructor(direct: DirectMessages, templates: TemplateMessages, freeForm: FreeFormMessages) {
    this.types = {
      list: typeAt('interactive/list', {
        permission: 'send_text',
        dto: ListMessageDto,
        draftOf: (message, principal) => freeForm.choice(principal, message, listDraft(message)),
        warningsOf: listWarnings,
      }),
      button: typeAt('interactive/button', {
        permission: 'send_text',
        dto: ButtonMessageDto,
        draftOf: (message, principal) => freeForm.choice(principal, message, buttonDraft(message)),
        warningsOf: buttonWarnings,
      }),
      text: typeAt('text', {
        permission: 'send_text',
        dto: TextMessageDto,
        draftOf: (message, principal) =>
          freeForm.choice(principal, message, () => direct.text(principal, message)),
      }),
      media: typeAt('media', {
        permission: 'send_media',
        dto: MediaMessageDto,
        draftOf: (message, principal) =>
          freeForm.choice(principal, message, () => direct.media(principal, message)),
      }),
      template: typeAt('template', {
        permission: 'send_template',
        dto: RawTemplateDto,
        draftOf: (message, principal) => () => templates.raw(principal, message),
      }),
      template_send: typeAt('template/send', {
        permission: 'send_template',
        dto: TemplateSendDto,
        draftOf: (message, principal) => () => templates.filled(principal, message),
        answerOf: sentTemplate,
      }),
    };
  }

  get(name: PlaygroundTypeName): PlaygroundType {
    return this.types[name];
  }
}
