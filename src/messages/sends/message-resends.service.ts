import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { hourMs } from '#libs/durations';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import { ApiKeyDirectory, type KnownKey } from '../../api-keys/api-key-directory.js';
import { AuditLog } from '../../audit/audit-log.js';
import {
  answerQuota,
  checkPermissions,
  refuseOverQuota,
  stateRefusalOf,
} from '../../auth/admission.js';
import { AppError, unavailable } from '../../errors/app-error.js';
import type { Reply, Request } from '../../http/request.js';
import { QuotaService } from '../../quota/quota.service.js';
import { UnknownAcceptanceError } from '../acceptance/message-acceptance.js';
import type { MessageDraft } from '../message.js';
import type { SentMessageDto } from '../message-answers.dto.js';
import { MessageReads, type MessageRecord } from '../reads/message-reads.js';
import { mayBeSentAgain } from '../rows/message-status.js';
import { SendService } from './send.service.js';
import { replyOfNobody, type SendReply, type SendRequest } from './send-options.js';
import { sendPermissionOf } from './send-permission.js';

/** Scopes the idempotency keys of resends; no route of the external API has this name. */
const route = 'resend';

/** For so long a second request surely finds what the first one has sent; less than idempotency keys are kept. */
const replayedForMs = 23 * hourMs;

/** While so many messages of a number are queued, `resendLater` adds none. */
const queuedMax = 200;

/**
 * Sends what is unconfirmed or failed again, as a new message with an id of its own. Only a
 * person may decide that: WhatsApp may have an unconfirmed message.
 */
@Injectable()
export class MessageResends {
  constructor(
    private readonly reads: MessageReads,
    private readonly directory: ApiKeyDirectory,
    private readonly quota: QuotaService,
    private readonly sends: SendService,
    private readonly audit: AuditLog,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Sends a message again with the key that sent it, and waits as the key's callers do. Asking
   * twice within 24 hours sends once and returns the same new message.
   * @throws AppError MESSAGE_NOT_FOUND; CONFLICT for a message that is under way or arrived, whose recipient a retry of
   * the campaign has, or whose key or payload is gone; whatever a send with the key throws
   */
  async resend(
    user: SignedInUser,
    id: string,
    request: Request,
    reply: Reply,
  ): Promise<SentMessageDto> {
    const { record, key, draft } = await this.prepare(accountScope(user), id);
    answerQuota(request, reply, key, await this.quota.takeUnit(key), this.quota);
    checkPermissions(key, [sendPermissionOf(record.type)]);
    await this.audit.record(this.dataSource.manager, user.actor, {
      action: 'message.resent',
      accountId: record.accountId,
      subjectId: record.id,
      subjectName: record.type,
      details: { status: record.status, api_key_id: record.apiKeyId, mode: record.mode },
    });
    return this.sends.sendMessage(requestOf(key, record, reply, false), draft, {});
  }

  /**
   * The same without a caller who waits, for a message that has failed. One that was sent again before stays as it is. It
   * leaves half of each minute to the key's own callers, and waits while much of the number is queued.
   * @param accountId null: of any account.
   * @throws AppError as `resend` does; CONFLICT for a message of a campaign, which has a retry of its own
   */
  async resendLater(accountId: string | null, id: string): Promise<void> {
    if ((await this.reads.resentAs(id)) !== null) return;
    const { record, key, draft } = await this.prepare(accountId, id);
    if (record.status !== 'failed') throw conflict(`The message is ${record.status}.`);
    if (record.campaignId !== null) {
      throw conflict('The message is one of a campaign: try the failed of the campaign again.');
    }
    checkPermissions(key, [sendPermissionOf(record.type)]);
    if ((await this.reads.waiting(record, queuedMax)) === queuedMax) {
      throw unavailable('many_queued', 'Many messages of the number wait. Nothing was sent.', {
        retryAfterSeconds: 5,
      });
    }
    const taken = await this.quota.takeUnit(key);
    refuseOverQuota(key, taken);
    try {
      if (taken.minuteUsed > Math.max(1, key.rateLimitPerMinute / 2)) {
        refuseOverQuota(key, { ...taken, refusedBy: 'minute' });
      }
      await this.sends.sendMessage(requestOf(key, record, replyOfNobody(), true), draft, {});
    } catch (error) {
      // No message was stored, so the unit of the minute is given back.
      if (error instanceof AppError && !(error instanceof UnknownAcceptanceError)) {
        this.quota.giveBackMinute(key.principal.apiKeyId, taken.nowMs);
      }
      throw error;
    }
  }

  private async prepare(accountId: string | null, id: string): Promise<Resend> {
    const record = isUUID(id)
      ? await this.reads.findMessage(id.toLowerCase(), { accountId, mode: null })
      : null;
    if (!record) throw new AppError('MESSAGE_NOT_FOUND');
    if (!mayBeSentAgain(record.status)) {
      throw conflict(
        `Only messages that are unconfirmed or failed are sent again; this one is ${record.status}.`,
      );
    }
    if (record.failure?.fallbackMessageId !== undefined) {
      throw conflict(`Its fallback took its place: message ${record.failure.fallbackMessageId}.`);
    }
    const before = await this.reads.resentAs(record.id);
    if (before && before.created_at.getTime() < Date.now() - replayedForMs) {
      throw conflict(`It was sent again before: message ${before.id}.`);
    }
    const retry = await this.reads.retryOf(record.id);
    if (retry) {
      const how = retry.message_id
        ? `has a message to them: ${retry.message_id}`
        : 'has them waiting';
      throw conflict(`A retry of its campaign, “${retry.campaign_name}”, ${how}.`);
    }
    const [content] = await this.reads.contents([record.id]);
    const { biz_opaque_callback_data: _, ...payload } = content?.payload ?? {};
    if (Object.keys(payload).length === 0) {
      throw conflict('The content of the message was not kept, so it cannot be sent again.');
    }
    const key = await this.directory.loadById(record.apiKeyId, accountId);
    if (!key) throw conflict('The API key that sent the message is deleted.');
    const refusal = stateRefusalOf(key);
    if (refusal) throw refusal;
    const draft = {
      type: record.type,
      recipient: record.recipient,
      toUserId: record.toUserId,
      reference: record.reference,
      payload,
      resentFrom: record.id,
    };
    return { record, key, draft };
  }
}

/** A message that may be sent again, its key, and what is sent. */
interface Resend {
  readonly record: MessageRecord;
  readonly key: KnownKey;
  readonly draft: MessageDraft;
}

const requestOf = (
  key: KnownKey,
  record: MessageRecord,
  reply: SendReply,
  isAsync: boolean,
): SendRequest => ({ principal: key.principal, route, idempotencyKey: record.id, isAsync, reply });

function conflict(message: string): AppError {
  return new AppError('CONFLICT', { message });
}
