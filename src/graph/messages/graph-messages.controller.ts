import { Body, Controller, Param, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Principal } from '../../access/principal.js';
import { RequireGraphAccess } from '../../access/require-permission.decorator.js';
import { requirePermission } from '../../auth/admission.js';
import { ReadService } from '../../direct-messages/read/read.service.js';
import { noSuch, validationError } from '../../errors/app-error.js';
import { Bare } from '../../http/envelope.js';
import { RawBody } from '../../http/server/raw-body.js';
import { parseJsonBody, unstorableFields } from '../../http/validation/json-body.js';
import { SendFailedError } from '../../messages/sends/send.service.js';
import { Sending, type SendRequest } from '../../messages/sends/send-options.js';
import { sendPermissionOf } from '../../messages/sends/send-permission.js';
import { failed } from './graph-failures.js';
import { checkBody, type GraphReceipt, messageOf, receiptOf } from './graph-message.js';
import { GraphSends } from './graph-sends.service.js';

const bodyMaxBytes = 32 * 1_024;

/** Messages in the form of WhatsApp's own API. */
@Controller('graph/:version')
@ApiExcludeController()
export class GraphMessagesController {
  constructor(
    private readonly sends: GraphSends,
    private readonly reads: ReadService,
  ) {}

  @Post(':object/messages')
  @RequireGraphAccess()
  @RouteConfig({ bodyMaxBytes })
  async send(
    @Sending() request: SendRequest,
    @Param('object') object: string,
    @Body() raw: RawBody,
  ): Promise<Bare> {
    const { principal } = request;
    if (object !== principal.account.phoneNumberId) throw noSuch('object');
    const body = bodyOf(raw);
    const receipt = receiptOf(body);
    if (receipt) {
      requirePermission(principal, 'send_text');
      await this.mark(principal, receipt);
      return new Bare({ success: true });
    }
    const message = messageOf(body);
    requirePermission(principal, sendPermissionOf(message.type));
    return new Bare(await this.sends.send({ ...request, isAsync: false }, message, body));
  }

  private async mark(caller: Principal, { messageId, isTyping }: GraphReceipt): Promise<void> {
    try {
      await this.reads.mark(caller, { message_id: messageId, typing: isTyping || null });
    } catch (error) {
      throw error instanceof SendFailedError ? failed(messageId, error.failure) : error;
    }
  }
}

/** @throws AppError VALIDATION_ERROR */
function bodyOf(raw: unknown): Record<string, unknown> {
  if (!(raw instanceof RawBody)) throw validationError({ body: 'is required' });
  const body = parseJsonBody(raw) as Record<string, unknown>;
  const faults = unstorableFields(body);
  if (faults) throw validationError(faults);
  checkBody(body);
  return body;
}
