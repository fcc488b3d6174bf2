import { Body, Controller, Post } from '@nestjs/common';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { SendService, type SentMessage } from '../messages/send.service.js';
import { Sending, type SendRequest } from '../messages/send-options.js';
import { RawTemplateDto, TemplateSendDto } from './template-messages.dto.js';
import { TemplateMessages } from './template-messages.service.js';

/** The answer to a send by named variables. */
export interface SentTemplate extends SentMessage {
  /** The same as `message_id`. */
  message_uuid: string;
  /** The recipient. */
  to: string;
}

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
  async sendFilled(
    @Sending() request: SendRequest,
    @Body() message: TemplateSendDto,
  ): Promise<SentTemplate> {
    const draft = () => this.templates.filled(request.principal, message);
    const sent = await this.sends.send(request, draft, message);
    return { message_uuid: sent.message_id, ...sent, to: message.to };
  }

  /** Sends a template with WhatsApp's own components. */
  @Post()
  @RequirePermission('send_template')
  sendRaw(@Sending() request: SendRequest, @Body() message: RawTemplateDto): Promise<SentMessage> {
    return this.sends.send(request, () => this.templates.raw(request.principal, message), message);
  }
}
