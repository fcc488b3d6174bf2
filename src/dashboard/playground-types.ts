import { Injectable } from '@nestjs/common';
import type { Permission } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { directTypes } from '../direct-messages/direct-messages.module.js';
import { FreeFormMessages } from '../free-form/free-form-messages.service.js';
import { validate } from '../http/validation/body.pipe.js';
import { interactiveTypes } from '../interactive-messages/interactive-messages.module.js';
import type { MessageDraft } from '../messages/message.js';
import type { SentMessageDto } from '../messages/message-answers.dto.js';
import { endingLinks } from '../messages/sends/ending-links.js';
import type { DraftSource } from '../messages/sends/send.service.js';
import {
  RawTemplateMessageDto,
  TemplateMessageDto,
} from '../templates/sends/template-messages.dto.js';
import { TemplateMessages } from '../templates/sends/template-messages.service.js';
import { sentTemplate } from '../templates/sends/template-payloads.js';

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

const freeFormTypes = [...interactiveTypes, ...directTypes];

/** The kinds, as a request names them. */
export const playgroundTypeNames = [
  ...freeFormTypes.map(({ type }) => type),
  'template',
  'template_send',
];

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
      return { body, draft, warnings: [...(warningsOf?.(body) ?? []), ...endingLinks(body)] };
    },
    answer: (sent, payload) => answerOf?.(sent, payload as T) ?? sent,
  };
}

/** Every kind of message that the playground can try. */
@Injectable()
export class PlaygroundTypes {
  private readonly types: ReadonlyMap<string, PlaygroundType>;

  constructor(templates: TemplateMessages, freeForm: FreeFormMessages) {
    const template = typeAt('template', {
      permission: 'send_template',
      dto: RawTemplateMessageDto,
      draftOf: (message, principal) => () => templates.raw(principal, message),
    });
    const filledTemplate = typeAt('template/send', {
      permission: 'send_template',
      dto: TemplateMessageDto,
      draftOf: (message, principal) => () => templates.filled(principal, message),
      answerOf: sentTemplate,
    });
    this.types = new Map([
      ...freeFormTypes.map((type): [string, PlaygroundType] => [
        type.type,
        typeAt(type.path, {
          permission: type.permission,
          dto: type.dto,
          draftOf: (message, principal) => freeForm.draftOf(type, principal, message),
          warningsOf: (message) => type.warnings?.(message as never) ?? [],
        }),
      ]),
      ['template', template],
      ['template_send', filledTemplate],
    ]);
  }

  /** @param name one of `playgroundTypeNames`. */
  get(name: string): PlaygroundType {
    const type = this.types.get(name);
    if (!type) throw new Error(`there is no type ${name}`);
    return type;
  }
}
