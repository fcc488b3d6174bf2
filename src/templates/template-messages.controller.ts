import { Body, Controller, Post } from '@nestjs/common';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { SendService, type SentMessage } from '../messages/send.service.js';
import { Sending, type SendRequest } from '../messages/send-options.js';
import { RawTemplateDto, TemplateSendDto } from './template-messages.dto.js';
import { TemplateMessages } from './template-messages.service.js';
import { type SentTemplate, sentTemplate } from './template-payloads.js';

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
    return sentTemplate(await this.sends.send(request, draft, message), message);
  }

  /** Sends a template with WhatsApp's own components. */
  @Post()
  @RequirePermission('send_template')
  sendRaw(@Sending() request: SendRequest, @Body() message: RawTemplateDto): Promise<SentMessage> {
    return this.sends.send(request, () => this.templates.raw(request.principal, message), message);
  }
}
