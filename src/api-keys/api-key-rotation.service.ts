import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { AccountChanges } from '../accounts/account-changes.js';
import { AuditLog } from '../audit/audit-log.js';
import { EndpointRecords } from '../endpoints/endpoint-records.js';
import { AppError } from '../errors/app-error.js';
import { EventHints } from '../hints/event-hints.js';
import { forgetSecretUses } from '../quota/forget-usage.js';
import { isToCome, keepFormer, newSecret, overlapEnd } from '../secrets/rotated-secrets.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import {
  type ApiKeyDto,
  type RotatedApiKeyDto,
  type RotatedSigningSecretDto,
  type RotatedWebhookSecretDto,
  type SecretKind,
  secretKinds,
} from './api-key-answers.dto.js';
import { ApiKeyRecords } from './api-key-records.js';
import { createApiKey, displayOfApiKey } from './api-key-token.js';
import type { EndOverlapDto, KeyRotationDto } from './api-keys.dto.js';
import { ApiKeysService, staysRevoked } from './api-keys.service.js';

/** Events are signed with both secrets for this long by default. */
const webhookOverlapSeconds = 86_400;

const noFormer = {
  previousSecret: null,
  previousExpiresAt: null,
  olderSecret: null,
  olderExpiresAt: null,
};

const noFormerKey = {
  previousDigest: null,
  previousExpiresAt: null,
  olderDigest: null,
  olderExpiresAt: null,
};

const noFormerSigning = {
  previousSigningSecret: null,
  previousSigningExpiresAt: null,
  olderSigningSecret: null,
  olderSigningExpiresAt: null,
};

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
  async rotateKey(
    user: SignedInUser,
    id: string,
    given: KeyRotationDto,
  ): Promise<RotatedApiKeyDto> {
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
    given: KeyRotationDto,
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
    given: KeyRotationDto,
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

  /**
   * Ends former values whose overlap still runs, at once and in every process.
   * @throws AppError NOT_FOUND, CONFLICT for a revoked key and where nothing overlaps, SERVICE_UNAVAILABLE
   */
  async endOverlap(user: SignedInUser, id: string, { only }: EndOverlapDto): Promise<ApiKeyDto> {
    const changed = await this.changes.apply(async (manager) => {
      const before = await this.records.lock(manager, id, accountScope(user));
      if (before.revokedAt) throw staysRevoked();
      const webhook = await this.endpoints.lockDefault(manager, before.id);
      const ends: Record<SecretKind, (Date | null)[]> = {
        key: [before.previousExpiresAt, before.olderExpiresAt],
        signing: [before.previousSigningExpiresAt, before.olderSigningExpiresAt],
        webhook: [webhook.previousExpiresAt, webhook.olderExpiresAt],
      };
      const ended = secretKinds.filter(
        (kind) => (!only || kind === only) && ends[kind].some(isToCome),
      );
      if (ended.length === 0) {
        throw new AppError('CONFLICT', { message: 'No old value of this kind works any more.' });
      }
      if (ended.includes('webhook')) await this.endpoints.change(manager, webhook, noFormer);
      const after = await this.records.change(manager, before, {
        ...(ended.includes('key') && noFormerKey),
        ...(ended.includes('signing') && noFormerSigning),
      });
      await this.forgetUses(manager, after);
      await this.audit.record(manager, user.actor, {
        action: 'api_key.overlap_ended',
        accountId: before.accountId,
        subjectId: before.id,
        subjectName: before.name,
        details: { ended },
      });
      return { accountId: before.accountId, result: after };
    });
    this.hints.wake(changed.id, 0);
    return this.keys.view(changed);
  }

  private forgetUses(manager: EntityManager, key: ApiKeyEntity): Promise<void> {
    const { key: ofKey, signing } = this.records.digestsOf(key);
    const kept = [...ofKey, ...signing].filter((digest) => digest !== null);
    return forgetSecretUses(manager, key.id, kept);
  }

  private async rotate(user: SignedInUser, id: string, rotation: Rotation) {
    const { action, shown, overlapSeconds } = rotation;
    const changed = await this.changes.applyShownOnce(async (manager) => {
      const before = await this.records.lock(manager, id, accountScope(user));
      if (before.revokedAt) throw staysRevoked();
      const columns = await rotation.columns(before, overlapEnd(overlapSeconds), manager);
      const after = await this.records.change(manager, before, columns);
      await this.forgetUses(manager, after);
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
