import { Body, Controller, Post } from '@nestjs/common';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import { SendsMessage } from '../../http/route.decorators.js';
import type { SentMessageDto, SentTemplateDto } from '../../messages/message-answers.dto.js';
import { SendService } from '../../messages/sends/send.service.js';
import { Sending, type SendRequest } from '../../messages/sends/send-options.js';
import { RawTemplateMessageDto, TemplateMessageDto } from './template-messages.dto.js';
import { TemplateMessages } from './template-messages.service.js';
import { sentTemplate } from './template-payloads.js';

/** Templates. */
@Controller('api/v1/external/messages/template')
export class TemplateMessagesController {
  constructor(
    private readonly sends: SendService,
    private readonly templates: TemplateMessages,
  ) {}

  /** Sends a template filled with named variables, by the mapping of the key. */
  @Post('send')
  @RequirePermission('send_template')
  @SendsMessage(
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_CONFIGURED',
    'INVALID_TEMPLATE_PARAMS',
    'MISSING_REQUIRED_VARIABLE',
    'RECIPIENT_NOT_SUPPORTED',
    'RECIPIENT_OPTED_OUT',
  )
  async sendTemplate(
    @Sending() request: SendRequest,
    @Body() message: TemplateMessageDto,
  ): Promise<SentTemplateDto> {
    const draft = () => this.templates.filled(request.principal, message);
    return sentTemplate(await this.sends.sendMessage(request, draft, message), message);
  }

  /** Sends a template with WhatsApp's own components. */
  @Post()
  @RequirePermission('send_template')
  @SendsMessage(
    'TEMPLATE_NOT_FOUND',
    'INVALID_TEMPLATE_PARAMS',
    'RECIPIENT_NOT_SUPPORTED',
    'RECIPIENT_OPTED_OUT',
  )
  sendTemplateWithComponents(
    @Sending() request: SendRequest,
    @Body() message: RawTemplateMessageDto,
  ): Promise<SentMessageDto> {
    return this.sends.sendMessage(
      request,
      () => this.templates.raw(request.principal, message),
      message,
    );
  }
}
