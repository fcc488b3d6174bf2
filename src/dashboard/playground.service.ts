import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { ApiKeyDirectory, type KnownKey } from '../api-keys/api-key-directory.js';
import { AuditLog } from '../audit/audit-log.js';
import { answerQuota, checkPermissions, stateRefusalOf } from '../auth/admission.js';
import { newId } from '../database/ids.js';
import { AppError, noSuch } from '../errors/app-error.js';
import { WithMeta } from '../http/envelope.js';
import type { Reply, Request } from '../http/request.js';
import { payloadWithId } from '../messages/message.js';
import type { SentMessageDto } from '../messages/message-answers.dto.js';
import { SendService } from '../messages/sends/send.service.js';
import { QuotaService } from '../quota/quota.service.js';
import type { PlaygroundDto } from './playground.dto.js';
import { PlaygroundTypes } from './playground-types.js';

/** Tries messages as a key would send them, with or without sending. */
@Injectable()
export class PlaygroundService {
  constructor(
    private readonly directory: ApiKeyDirectory,
    private readonly quota: QuotaService,
    private readonly types: PlaygroundTypes,
    private readonly sends: SendService,
    private readonly audit: AuditLog,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Everything that would stop a request of the key stops this one, except its address and
   * signature. A simulation costs the minute, like a request that is refused, and not the day.
   * @throws AppError whatever a send with the key throws; NOT_FOUND for a key of another account, FORBIDDEN for a
   * viewer with a live key
   */
  async sendExample(
    user: SignedInUser,
    given: PlaygroundDto,
    request: Request,
    reply: Reply,
  ): Promise<WithMeta | SentMessageDto> {
    const type = this.types.get(given.type);
    const key = await this.admit(user, given.api_key_id, request, reply);
    checkPermissions(key, [type.permission]);
    const { body, draft, warnings } = await type.prepare(given.payload, key.principal);
    const isSend = given.mode === 'send';
    // Before the audit log says that it was sent.
    await this.sends.check(key.principal, draft, body, isSend);
    if (!isSend) {
      return new WithMeta(
        { valid: true, platform_payload: payloadWithId(draft.payload, newId()) },
        { warnings },
      );
    }
    await this.audit.record(this.dataSource.manager, user.actor, {
      action: 'message.sent_from_playground',
      accountId: key.principal.accountId,
      subjectId: key.principal.apiKeyId,
      subjectName: given.type,
      details: { api_key_id: key.principal.apiKeyId, mode: key.principal.mode },
    });
    if (warnings.length > 0) request.warnings = warnings;
    const { principal } = key;
    const sent = await this.sends.sendMessage(
      { principal, route: type.route, idempotencyKey: null, isAsync: false, reply },
      draft,
      body,
    );
    return type.answer(sent, body);
  }

  private async admit(
    user: SignedInUser,
    id: string,
    request: Request,
    reply: Reply,
  ): Promise<KnownKey> {
    // Read from PostgreSQL each time, so there is no version to compare.
    const key = await this.directory.loadById(id, accountScope(user));
    if (!key) throw noSuch('API key');
    if (user.role === 'viewer' && key.principal.mode !== 'test') {
      throw new AppError('FORBIDDEN', { message: 'Viewers try messages with test keys only.' });
    }
    const refusal = stateRefusalOf(key);
    if (refusal) throw refusal;
    answerQuota(request, reply, key, await this.quota.takeUnit(key), this.quota);
    return key;
  }
}
