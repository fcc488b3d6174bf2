import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { AccountChanges } from '../accounts/account-changes.js';
import { AuditLog } from '../audit/audit-log.js';
import { EndpointRecords } from '../endpoints/endpoint-records.js';
import { EventHints } from '../hints/event-hints.js';
import { keepFormer, newSecret, overlapEnd } from '../secrets/rotated-secrets.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import type {
  RotatedApiKeyDto,
  RotatedSigningSecretDto,
  RotatedWebhookSecretDto,
} from './api-key-answers.dto.js';
import { ApiKeyRecords } from './api-key-records.js';
import { createApiKey, displayOfApiKey } from './api-key-token.js';
import type { RotateDto } from './api-keys.dto.js';
import { ApiKeysService, staysRevoked } from './api-keys.service.js';

/** Events are signed with both secrets for this long by default. */
const webhookOverlapSeconds = 86_400;

interface Rotation {
  readonly action: `api_key.${string}`;
  /** The new secret, shown once. */
  readonly shown: 'key' | 'signing_secret' | 'webhook_secret';
  readonly overlapSeconds: number;
  /** @param until when the overlap of the present one ends; null without one. */
  readonly columns: (
    key: ApiKeyEntity,
    until: Date | null,
    manager: EntityManager,
  ) => Partial<ApiKeyEntity> | Promise<Partial<ApiKeyEntity>>;
}

/**
 * Replaces a key or one of its secrets. What an earlier rotation kept stays valid until its overlap ends. At most two
 * former ones are kept; a rotation that would keep a third ends the one that would end first.
 */
@Injectable()
export class ApiKeyRotationService {
  constructor(
    private readonly records: ApiKeyRecords,
    private readonly keys: ApiKeysService,
    private readonly endpoints: EndpointRecords,
    private readonly changes: AccountChanges,
    private readonly audit: AuditLog,
    private readonly hints: EventHints,
  ) {}

  /**
   * Replaces the key itself; id, name, mappings and quota stay.
   * @throws AppError NOT_FOUND, CONFLICT for a revoked key, SERVICE_UNAVAILABLE
   */
  async rotateKey(user: SignedInUser, id: string, given: RotateDto): Promise<RotatedApiKeyDto> {
    const { mode } = await this.records.get(id, accountScope(user));
    const key = createApiKey(mode);
    const digest = await this.records.digest(key);
    return {
      ...(await this.rotate(user, id, {
        action: 'api_key.rotated',
        shown: 'key',
        overlapSeconds: given.overlap_seconds ?? 0,
        columns: (before, until) => {
          const [previous, older] = keepFormer([
            { secret: before.digest, until },
            { secret: before.previousDigest, until: before.previousExpiresAt },
            { secret: before.olderDigest, until: before.olderExpiresAt },
          ]);
          return {
            digest,
            display: displayOfApiKey(key),
            previousDigest: previous.secret,
            previousExpiresAt: previous.until,
            olderDigest: older.secret,
            olderExpiresAt: older.until,
          };
        },
      })),
      key,
    };
  }

  /** @throws AppError NOT_FOUND, CONFLICT for a revoked key, SERVICE_UNAVAILABLE */
  async rotateSigningSecret(
    user: SignedInUser,
    id: string,
    given: RotateDto,
  ): Promise<RotatedSigningSecretDto> {
    const secret = newSecret('sgsec_');
    return {
      ...(await this.rotate(user, id, {
        action: 'api_key.signing_secret_rotated',
        shown: 'signing_secret',
        overlapSeconds: given.overlap_seconds ?? 0,
        columns: (before, until) => {
          const [previous, older] = keepFormer([
            { secret: before.signingSecret, until },
            { secret: before.previousSigningSecret, until: before.previousSigningExpiresAt },
            { secret: before.olderSigningSecret, until: before.olderSigningExpiresAt },
          ]);
          return {
            signingSecret: this.records.sealSigningSecret(before.id, secret),
            previousSigningSecret: previous.secret,
            previousSigningExpiresAt: previous.until,
            olderSigningSecret: older.secret,
            olderSigningExpiresAt: older.until,
          };
        },
      })),
      signing_secret: secret,
    };
  }

  /** @throws AppError NOT_FOUND, CONFLICT for a revoked key, SERVICE_UNAVAILABLE */
  async rotateWebhookSecret(
    user: SignedInUser,
    id: string,
    given: RotateDto,
  ): Promise<RotatedWebhookSecretDto> {
    let secret = '';
    const rotated = await this.rotate(user, id, {
      action: 'api_key.webhook_secret_rotated',
      shown: 'webhook_secret',
      overlapSeconds: given.overlap_seconds ?? webhookOverlapSeconds,
      columns: async ({ id: keyId }, until, manager) => {
        const webhook = await this.endpoints.lockDefault(manager, keyId);
        ({ secret } = await this.endpoints.rotateSecret(manager, webhook, until));
        return {};
      },
    });
    return { ...rotated, webhook_secret: secret };
  }

  private async rotate(user: SignedInUser, id: string, rotation: Rotation) {
    const { action, shown, overlapSeconds } = rotation;
    const changed = await this.changes.applyShownOnce(async (manager) => {
      const before = await this.records.lock(manager, id, accountScope(user));
      if (before.revokedAt) throw staysRevoked();
      const columns = await rotation.columns(before, overlapEnd(overlapSeconds), manager);
      const after = await this.records.change(manager, before, columns);
      await this.audit.record(manager, user.actor, {
        action,
        accountId: before.accountId,
        subjectId: before.id,
        subjectName: before.name,
        details: { overlap_seconds: overlapSeconds, shown: [shown] },
      });
      return { accountId: before.accountId, result: after };
    });
    this.hints.wake(changed.id, 0);
    return { api_key: await this.keys.view(changed) };
  }
}
