import { Body, Controller, Post } from '@nestjs/common';
import { RequirePermission } from '../access/require-permission.decorator.js';
import { FreeFormMessages, freeFormRefusals } from '../fallbacks/free-form-messages.service.js';
import { SendsMessage } from '../http/route.decorators.js';
import type { SentMessageDto } from '../messages/message-answers.dto.js';
import { SendService } from '../messages/sends/send.service.js';
import { Sending, type SendRequest } from '../messages/sends/send-options.js';
import { ButtonMessageDto } from './button/button-message.dto.js';
import { buttonDraft } from './button/button-payload.js';
import { ListMessageDto } from './list/list-message.dto.js';
import { listDraft } from './list/list-payload.js';

/** Lists and reply buttons. */
@Controller('api/v1/external/messages/interactive')
export class InteractiveMessagesController {
  constructor(
    private readonly sends: SendService,
    private readonly freeForm: FreeFormMessages,
  ) {}

  /** Sends a message with a menu button that opens a list of choices. */
  @Post('list')
  @RequirePermission('send_text')
  @SendsMessage(...freeFormRefusals)
  sendListMessage(
    @Sending() request: SendRequest,
    @Body() message: ListMessageDto,
  ): Promise<SentMessageDto> {
    const draft = this.freeForm.choice(request.principal, message, listDraft(message));
    return this.sends.sendMessage(request, draft, message);
  }

  /** Sends a message with one to three reply buttons. */
  @Post('button')
  @RequirePermission('send_text')
  @SendsMessage(...freeFormRefusals)
  sendButtonMessage(
    @Sending() request: SendRequest,
    @Body() message: ButtonMessageDto,
  ): Promise<SentMessageDto> {
    const draft = this.freeForm.choice(request.principal, message, buttonDraft(message));
    return this.sends.sendMessage(request, draft, message);
  }
}
