import { Injectable } from '@nestjs/common';
import { AccountChanges } from '../accounts/account-changes.js';
import { AuditLog } from '../audit/audit-log.js';
import { accountScope, type SignedInUser } from '../auth/signed-in-user.js';
import { EventHints } from '../replies/event-hints.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import type {
  RotatedApiKeyDto,
  RotatedSigningSecretDto,
  RotatedWebhookSecretDto,
} from './api-key-answers.dto.js';
import { ApiKeyRecords, newSecret } from './api-key-records.js';
import { createApiKey, displayOfApiKey } from './api-key-token.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { apiKeyView } from './api-key-views.js';
import type { RotateDto } from './api-keys.dto.js';
import { staysRevoked } from './api-keys.service.js';

/** Events are signed with both secrets for this long when nobody says otherwise. */
const webhookOverlapSeconds = 86_400;

interface Rotation {
  readonly action: `api_key.${string}`;
  /** What is shown, once. */
  readonly shown: 'key' | 'signing_secret' | 'webhook_secret';
  readonly overlapSeconds: number;
  readonly columns: (key: ApiKeyEntity, previousUntil: Date | null) => Partial<ApiKeyEntity>;
}

/**
 * Replaces a key or one of its secrets. Only the last one before is ever kept: a second rotation
 * within an overlap ends what the first one had kept.
 */
@Injectable()
export class ApiKeyRotationService {
  constructor(
    private readonly records: ApiKeyRecords,
    private readonly usages: ApiKeyUsage,
    private readonly changes: AccountChanges,
    private readonly audit: AuditLog,
    private readonly hints: EventHints,
  ) {}

  /**
   * Gives a key a new text; id, name, mappings and quota stay.
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
        columns: (before, previousUntil) => ({
          digest,
          display: displayOfApiKey(key),
          previousDigest: previousUntil && before.digest,
          previousExpiresAt: previousUntil,
        }),
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
        columns: (before, previousUntil) => ({
          signingSecret: this.records.seal('signing_secret', before.id, secret),
          previousSigningSecret: previousUntil && before.signingSecret,
          previousSigningExpiresAt: previousUntil,
        }),
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
    const secret = newSecret('whsec_');
    return {
      ...(await this.rotate(user, id, {
        action: 'api_key.webhook_secret_rotated',
        shown: 'webhook_secret',
        overlapSeconds: given.overlap_seconds ?? webhookOverlapSeconds,
        columns: (before, previousUntil) => ({
          webhookSecret: this.records.seal('webhook_secret', before.id, secret),
          previousWebhookSecret: previousUntil && before.webhookSecret,
          previousWebhookExpiresAt: previousUntil,
        }),
      })),
      webhook_secret: secret,
    };
  }

  private async rotate(user: SignedInUser, id: string, rotation: Rotation) {
    const { action, shown, overlapSeconds } = rotation;
    const changed = await this.changes.applyShownOnce(async (manager) => {
      const before = await this.records.lock(manager, id, accountScope(user));
      if (before.revokedAt) throw staysRevoked();
      const previousUntil =
        overlapSeconds > 0 ? new Date(Date.now() + overlapSeconds * 1_000) : null;
      const after = await this.records.change(
        manager,
        before,
        rotation.columns(before, previousUntil),
      );
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
    const standings = await this.usages.standings([changed.id]);
    return { api_key: apiKeyView(changed, standings.get(changed.id)) };
  }
}
