import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { AppError } from '../../errors/app-error.js';
import { pageOf } from '../../http/validation/page.dto.js';
import type { MessagesDto, MessageWithTimelineDto } from '../message-answers.dto.js';
import type { MessageListDto } from './message-list.dto.js';
import { MessageReads, type MessageScope } from './message-reads.js';
import { messageView, timelineView } from './message-view.js';

/** Reads of messages for callers. */
@Injectable()
export class MessagesService {
  constructor(private readonly reads: MessageReads) {}

  /** @throws AppError MESSAGE_NOT_FOUND, also for a message of another account. */
  async get(id: string, scope: MessageScope): Promise<MessageWithTimelineDto> {
    const record = isUUID(id) ? await this.reads.findMessage(id.toLowerCase(), scope) : null;
    if (!record) throw new AppError('MESSAGE_NOT_FOUND');
    const { timeline } = await this.reads.history(record.id);
    return { ...messageView(record), timeline: timelineView(record, timeline) };
  }

  async list(filter: MessageListDto, scope: MessageScope): Promise<MessagesDto> {
    const { records, horizon } = await this.reads.list(scope, {
      statuses: filter.status && [filter.status],
      reference: filter.reference,
      recipient: filter.to,
      toUserId: filter.to_user_id,
      createdAfter: filter.created_after,
      createdBefore: filter.created_before,
      beforeId: filter.cursor,
      limit: filter.limit + 1,
    });
    const { page, next_cursor } = pageOf(records, filter.limit);
    return { messages: page.map(messageView), next_cursor: next_cursor ?? horizon };
  }
}
