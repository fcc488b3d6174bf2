import { Injectable } from '@nestjs/common';
import { validationError } from '../errors/app-error.js';
import type { MessageDraft } from '../messages/message.js';
import { MessageReads, type MessageScope } from '../messages/reads/message-reads.js';
import type { MediaMessageDto } from './media/media-message.dto.js';
import { mediaDraft } from './media/media-payload.js';
import { isPlatformMessageId } from './reply-target.js';
import type { TextMessageDto } from './text/text-message.dto.js';
import { textDraft } from './text/text-payload.js';

/** Texts and media: what is sent as it was given, without a menu or a template. */
@Injectable()
export class DirectMessages {
  constructor(private readonly reads: MessageReads) {}

  /** @throws AppError VALIDATION_ERROR when `reply_to` names no message that WhatsApp knows. */
  async text(scope: MessageScope, message: TextMessageDto): Promise<MessageDraft> {
    return textDraft(message, await this.repliedTo(scope, message.reply_to));
  }

  /** @throws AppError VALIDATION_ERROR when `reply_to` names no message that WhatsApp knows. */
  async media(scope: MessageScope, message: MediaMessageDto): Promise<MessageDraft> {
    return mediaDraft(message, await this.repliedTo(scope, message.reply_to));
  }

  /** The platform's id of the message that is answered. A platform id is passed on as it is: we may not know it. */
  private async repliedTo(
    scope: MessageScope,
    target: string | null | undefined,
  ): Promise<string | null> {
    if (target === undefined || target === null) return null;
    if (isPlatformMessageId(target)) return target;
    const message = await this.reads.findMessage(target.toLowerCase(), scope);
    if (!message) throw validationError({ reply_to: 'is not the id of a message of this account' });
    if (message.platformMessageId === null) {
      throw validationError({ reply_to: 'is the id of a message that WhatsApp does not have' });
    }
    return message.platformMessageId;
  }
}
