import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import type { Principal } from '../../access/principal.js';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Config } from '../../config/config.js';
import { AppError } from '../../errors/app-error.js';
import type { MessageDto } from '../message-answers.dto.js';
import { MessageReads, type MessageRecord, type MessageScope } from '../reads/message-reads.js';
import { messageView } from '../reads/message-view.js';
import { MessageCancellation } from '../rows/message-cancellation.js';
import { ScheduledMessages } from '../rows/scheduled-rows.js';
import { momentToSend } from './send.dto.js';
import { sendPermissionOf } from './send-permission.js';

/** Cancels messages that are not on their way yet, and moves the time of scheduled ones. */
@Injectable()
export class UnsentMessages {
  constructor(
    private readonly reads: MessageReads,
    private readonly cancellation: MessageCancellation,
    private readonly scheduled: ScheduledMessages,
    private readonly config: Config,
    private readonly audit: AuditLog,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Cancels a message for a caller. Once it is cancelled, it is answered in the same way again.
   * @throws AppError MESSAGE_NOT_FOUND; PERMISSION_DENIED without the permission to send such messages; MESSAGE_STATE
   * from `sending` on
   */
  async cancelFor(caller: Principal, id: string): Promise<MessageDto> {
    const message = await this.findAllowed(caller, id);
    await this.cancel(message);
    return messageView(await this.find(id, caller));
  }

  /**
   * Sends a scheduled message at another time.
   * @throws AppError MESSAGE_NOT_FOUND; PERMISSION_DENIED without the permission to send such messages; VALIDATION_ERROR
   * for a time that is too near or too far; MESSAGE_STATE if it is not scheduled any more
   */
  async postpone(caller: Principal, id: string, sendAt: string): Promise<MessageDto> {
    const message = await this.findAllowed(caller, id);
    if (message.status !== 'scheduled') throw stateError(message, 'scheduled', 'moved');
    const moment = momentToSend(sendAt, this.config.retentionDays, message.createdAt);
    const isMoved = await this.scheduled.postpone(message.id, moment);
    const now = await this.find(id, caller);
    if (!isMoved) throw stateError(now, 'scheduled', 'moved');
    return messageView(now);
  }

  /** The same for a user of the dashboard. @throws AppError MESSAGE_NOT_FOUND, MESSAGE_STATE */
  async cancelBy(user: SignedInUser, id: string): Promise<MessageDto> {
    const scope = { accountId: accountScope(user), mode: null };
    const message = await this.find(id, scope);
    if (await this.cancel(message)) {
      await this.audit.record(this.dataSource.manager, user.actor, {
        action: 'message.cancelled',
        accountId: message.accountId,
        subjectId: message.id,
        subjectName: message.type,
        details: { api_key_id: message.apiKeyId, mode: message.mode },
      });
    }
    return messageView(await this.find(id, scope));
  }

  /** The same for many at once, which have one entry in the audit log. @param accountId null: of any account. */
  async cancelIn(accountId: string | null, id: string): Promise<void> {
    await this.cancel(await this.find(id, { accountId, mode: null }));
  }

  /** @returns whether it was cancelled just now. */
  private async cancel({ id }: MessageRecord): Promise<boolean> {
    if (await this.cancellation.cancel(id)) return true;
    const now = await this.find(id, { accountId: null, mode: null });
    if (now.status === 'cancelled') return false;
    throw stateError(now, 'scheduled and queued', 'cancelled');
  }

  private async findAllowed(caller: Principal, id: string): Promise<MessageRecord> {
    const message = await this.find(id, caller);
    const permission = sendPermissionOf(message.type);
    if (caller.permissions.has(permission)) return message;
    throw new AppError('PERMISSION_DENIED', {
      message: `The API key lacks the permission ${permission}, which sent this message.`,
      details: { permission },
    });
  }

  private async find(id: string, scope: MessageScope): Promise<MessageRecord> {
    const message = isUUID(id) ? await this.reads.findMessage(id.toLowerCase(), scope) : null;
    if (!message) throw new AppError('MESSAGE_NOT_FOUND');
    return message;
  }
}

function stateError({ status }: MessageRecord, expected: string, change: string): AppError {
  return new AppError('MESSAGE_STATE', {
    message: `The message is ${status}. Only ${expected} messages can be ${change}.`,
    details: { status },
  });
}
