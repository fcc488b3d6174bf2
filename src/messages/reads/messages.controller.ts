import { Controller, Get, Param, Query } from '@nestjs/common';
import { Caller } from '../../access/caller.decorator.js';
import type { Principal } from '../../access/principal.js';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import { Refuses } from '../../http/route.decorators.js';
import type { MessagesDto, MessageWithTimelineDto } from '../message-answers.dto.js';
import { MessageListDto } from './message-list.dto.js';
import { MessagesService } from './messages.service.js';

/** Reads of messages. */
@Controller('api/v1/external/messages')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

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
}
