import { Body, Controller, Post } from '@nestjs/common';
import { RequirePermission } from '../access/require-permission.decorator.js';
import { FreeFormMessages, freeFormRefusals } from '../fallbacks/free-form-messages.service.js';
import { SendsMessage } from '../http/route.decorators.js';
import type { SentMessageDto } from '../messages/message-answers.dto.js';
import { SendService } from '../messages/sends/send.service.js';
import { Sending, type SendRequest } from '../messages/sends/send-options.js';
import { DirectMessages } from './direct-messages.service.js';
import { MediaMessageDto } from './media/media-message.dto.js';
import { TextMessageDto } from './text/text-message.dto.js';

/** Texts and media. */
@Controller('api/v1/external/messages')
export class DirectMessagesController {
  constructor(
    private readonly sends: SendService,
    private readonly messages: DirectMessages,
    private readonly freeForm: FreeFormMessages,
  ) {}

  /** Sends a text. */
  @Post('text')
  @RequirePermission('send_text')
  @SendsMessage(...freeFormRefusals)
  sendTextMessage(
    @Sending() request: SendRequest,
    @Body() message: TextMessageDto,
  ): Promise<SentMessageDto> {
    const { principal } = request;
    const draft = () => this.messages.text(principal, message);
    return this.sends.sendMessage(
      request,
      this.freeForm.choice(principal, message, draft),
      message,
    );
  }

  /** Sends an image, a video, an audio file, a document or a sticker. */
  @Post('media')
  @RequirePermission('send_media')
  @SendsMessage(...freeFormRefusals)
  sendMediaMessage(
    @Sending() request: SendRequest,
    @Body() message: MediaMessageDto,
  ): Promise<SentMessageDto> {
    const { principal } = request;
    const draft = () => this.messages.media(principal, message);
    return this.sends.sendMessage(
      request,
      this.freeForm.choice(principal, message, draft),
      message,
    );
  }
}
