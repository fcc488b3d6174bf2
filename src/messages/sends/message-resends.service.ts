import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import { ApiKeyDirectory, type KnownKey } from '../../api-keys/api-key-directory.js';
import { AuditLog } from '../../audit/audit-log.js';
import { answerQuota, checkPermissions, stateRefusalOf } from '../../auth/admission.js';
import { AppError } from '../../errors/app-error.js';
import type { Reply, Request } from '../../http/request.js';
import { QuotaService } from '../../quota/quota.service.js';
import type { SentMessageDto } from '../message-answers.dto.js';
import { MessageReads } from '../reads/message-reads.js';
import { SendService } from './send.service.js';
import { sendPermissionOf } from './send-permission.js';

/** Scopes the idempotency keys of resends; no route of the external API has this name. */
const route = 'resend';

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
   * @throws AppError MESSAGE_NOT_FOUND; CONFLICT for a message that is under way or arrived, or whose
   * key or payload is gone; whatever a send with the key throws
   */
  async resend(
    user: SignedInUser,
    id: string,
    request: Request,
    reply: Reply,
  ): Promise<SentMessageDto> {
    const scope = { accountId: accountScope(user), mode: null };
    const record = isUUID(id) ? await this.reads.findMessage(id.toLowerCase(), scope) : null;
    if (!record) throw new AppError('MESSAGE_NOT_FOUND');
    if (record.status !== 'unconfirmed' && record.status !== 'failed') {
      throw conflict(
        `Only messages that are unconfirmed or failed are sent again; this one is ${record.status}.`,
      );
    }
    if (record.failure?.fallbackMessageId !== undefined) {
      throw conflict(`Its fallback took its place: message ${record.failure.fallbackMessageId}.`);
    }
    const [content] = await this.reads.contents([record.id]);
    const { biz_opaque_callback_data: _, ...payload } = content?.payload ?? {};
    if (Object.keys(payload).length === 0) {
      throw conflict('The content of the message was not kept, so it cannot be sent again.');
    }
    const key = await this.admit(record.apiKeyId, user, request, reply);
    checkPermissions(key, [sendPermissionOf(record.type)]);
    await this.audit.record(this.dataSource.manager, user.actor, {
      action: 'message.resent',
      accountId: record.accountId,
      subjectId: record.id,
      subjectName: record.type,
      details: { status: record.status, api_key_id: record.apiKeyId, mode: record.mode },
    });
    return this.sends.sendMessage(
      { principal: key.principal, route, idempotencyKey: record.id, isAsync: false, reply },
      {
        type: record.type,
        recipient: record.recipient,
        toUserId: record.toUserId,
        reference: record.reference,
        payload,
        resentFrom: record.id,
      },
      {},
    );
  }

  /** Everything that would stop a request of the key stops this one. */
  private async admit(
    apiKeyId: string,
    user: SignedInUser,
    request: Request,
    reply: Reply,
  ): Promise<KnownKey> {
    const key = await this.directory.loadById(apiKeyId, accountScope(user));
    if (!key) throw conflict('The API key that sent the message is deleted.');
    const refusal = stateRefusalOf(key);
    if (refusal) throw refusal;
    answerQuota(request, reply, key, await this.quota.takeUnit(key), this.quota);
    return key;
  }
}

function conflict(message: string): AppError {
  return new AppError('CONFLICT', { message });
}
