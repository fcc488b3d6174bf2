import { Body, Controller, Post, type Type } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { RequirePermission } from '../access/require-permission.decorator.js';
import { SendsMessage } from '../http/route.decorators.js';
import type { SentMessageDto } from '../messages/message-answers.dto.js';
import { SendService } from '../messages/sends/send.service.js';
import { Sending, type SendRequest } from '../messages/sends/send-options.js';
import type { FreeFormDto } from './free-form.dto.js';
import { FreeFormMessages, freeFormRefusals } from './free-form-messages.service.js';
import type { FreeFormType } from './free-form-type.js';

/** Makes the route of a type. */
export function controllerOf(type: FreeFormType): Type {
  @Controller('api/v1/external/messages')
  class FreeFormController {
    constructor(
      private readonly sends: SendService,
      private readonly messages: FreeFormMessages,
    ) {}

    @Post(type.path)
    @RequirePermission(type.permission)
    @SendsMessage(...freeFormRefusals, ...(type.refuses ?? []))
    @ApiOperation({ summary: type.summary })
    send(@Sending() request: SendRequest, @Body() message: FreeFormDto): Promise<SentMessageDto> {
      const warnings = type.warnings?.(message as never) ?? [];
      if (warnings.length > 0) request.reply.request.warnings = warnings;
      const draft = this.messages.draftOf(type, request.principal, message);
      return this.sends.sendMessage(request, draft, message);
    }
  }
  // Nest reads the class of a body from here, and the API document names the operation after the controller.
  Reflect.defineMetadata(
    'design:paramtypes',
    [Object, type.dto],
    FreeFormController.prototype,
    'send',
  );
  Object.defineProperty(FreeFormController, 'name', {
    value: `${pascal(type.type)}MessagesController`,
  });
  return FreeFormController;
}

const pascal = (name: string) =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
