import type { Readable } from 'node:stream';
import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { RequireRole } from '../../access/require-permission.decorator.js';
import { SignedIn } from '../../access/signed-in.decorator.js';
import type { SignedInUser } from '../../access/signed-in-user.js';
import { WithMeta } from '../../http/envelope.js';
import { exportOf, exportTypeOf } from '../../http/list-export.js';
import type { Reply, Request } from '../../http/request.js';
import { AlsoAsFile, Refuses } from '../../http/route.decorators.js';
import { type MessageDto, SentMessageDto } from '../message-answers.dto.js';
import { MessageResends } from '../sends/message-resends.service.js';
import { UnsentMessages } from '../sends/unsent-messages.service.js';
import {
  type DashboardMessageDetailDto,
  DashboardMessageListDto,
  DashboardMessagesDto,
} from './account-messages.dto.js';
import { messageExport } from './message-export.js';
import { MessagesService } from './messages.service.js';

/** The messages of the user's account; operators see all. */
@Controller('api/v1/dashboard')
@RequireRole('administrator')
export class AccountMessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly resends: MessageResends,
    private readonly unsent: UnsentMessages,
  ) {}

  /** Lists messages, the newest first. */
  @Get('messages')
  @ApiOkResponse({ type: DashboardMessagesDto })
  @AlsoAsFile()
  async listAccountMessages(
    @SignedIn() user: SignedInUser,
    @Query() filter: DashboardMessageListDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<DashboardMessagesDto | WithMeta | Readable> {
    const type = exportTypeOf(request);
    if (type) {
      const list = messageExport(filter, async (limit, cursor = filter.cursor) => {
        const page = await this.messages.listFor(user, filter, { limit, cursor });
        return { rows: page.messages, next_cursor: page.next_cursor };
      });
      return exportOf(list, type, reply);
    }
    const [page, total] = await Promise.all([
      this.messages.listFor(user, filter),
      filter.count === 'true' ? this.messages.count(user, filter) : undefined,
    ]);
    return total ? new WithMeta(page, { ...total }) : page;
  }

  /** One message with its timeline and the calls to WhatsApp. */
  @Get('messages/:uuid')
  @Refuses('MESSAGE_NOT_FOUND')
  getAccountMessage(
    @SignedIn() user: SignedInUser,
    @Param('uuid') uuid: string,
  ): Promise<DashboardMessageDetailDto> {
    return this.messages.details(uuid, user);
  }

  /** Cancels a message that is still scheduled or queued: it will never be sent. */
  @Post('messages/:uuid/cancel')
  @HttpCode(200)
  @Refuses('MESSAGE_NOT_FOUND', 'MESSAGE_STATE')
  cancelAccountMessage(
    @SignedIn() user: SignedInUser,
    @Param('uuid') uuid: string,
  ): Promise<MessageDto> {
    return this.unsent.cancelBy(user, uuid);
  }

  /** Sends a message that is unconfirmed or failed again, as a new one, once. */
  @Post('messages/:uuid/resend')
  @Refuses(
    'MESSAGE_NOT_FOUND',
    'CONFLICT',
    'EXPIRED_API_KEY',
    'REVOKED_API_KEY',
    'SUSPENDED_API_KEY',
    'INVALID_API_KEY',
    'PERMISSION_DENIED',
    'ACCOUNT_NOT_ACTIVE',
    'RATE_LIMIT_EXCEEDED',
    'DAILY_LIMIT_EXCEEDED',
    'MESSAGE_SEND_FAILED',
    { code: 'MESSAGE_SEND_FAILED', status: 500 },
  )
  resendMessage(
    @SignedIn() user: SignedInUser,
    @Param('uuid') uuid: string,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<SentMessageDto> {
    return this.resends.resend(user, uuid, request, reply);
  }
}
