import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { Caller } from '../../access/caller.decorator.js';
import type { Principal } from '../../access/principal.js';
import {
  RequirePermission,
  RequirePermissionBeyondDay,
} from '../../access/require-permission.decorator.js';
import { Refuses } from '../../http/route.decorators.js';
import type { MessageDto, MessagesDto, MessageWithTimelineDto } from '../message-answers.dto.js';
import { MessageChangeDto } from '../sends/send.dto.js';
import { UnsentMessages } from '../sends/unsent-messages.service.js';
import { MessageListDto } from './message-list.dto.js';
import { MessagesService } from './messages.service.js';

/** Reads of messages. */
@Controller('api/v1/external/messages')
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly unsent: UnsentMessages,
  ) {}

  /** Lists messages of the account, newest first. */
  @Get()
  @RequirePermission('view_messages')
  list(@Caller() caller: Principal, @Query() filter: MessageListDto): Promise<MessagesDto> {
    return this.messages.list(filter, caller);
  }

  /** One message with its timeline. */
  @Get(':uuid')
  @Refuses('MESSAGE_NOT_FOUND')
  @RequirePermission('view_messages')
  get(@Caller() caller: Principal, @Param('uuid') uuid: string): Promise<MessageWithTimelineDto> {
    return this.messages.get(uuid, caller);
  }

  /**
   * Sends a scheduled message at another time. Its `expires_at` moves along, unless you have named a moment for it. The key
   * needs the permission to send such messages. It costs a unit of the minute and none of the day.
   */
  @Patch(':uuid')
  @RequirePermissionBeyondDay(null)
  @Refuses('MESSAGE_NOT_FOUND', 'MESSAGE_STATE')
  updateMessage(
    @Caller() caller: Principal,
    @Param('uuid') uuid: string,
    @Body() { send_at: sendAt }: MessageChangeDto,
  ): Promise<MessageDto> {
    return this.unsent.postpone(caller, uuid, sendAt);
  }

  /**
   * Cancels a message that is still scheduled or queued, tried or not: it will never be sent. The key needs the permission
   * to send such messages. It costs a unit of the minute and none of the day.
   */
  @Post(':uuid/cancel')
  @HttpCode(200)
  @RequirePermissionBeyondDay(null)
  @Refuses('MESSAGE_NOT_FOUND', 'MESSAGE_STATE')
  cancel(@Caller() caller: Principal, @Param('uuid') uuid: string): Promise<MessageDto> {
    return this.unsent.cancelFor(caller, uuid);
  }
}
