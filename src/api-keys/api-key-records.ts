import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import type { AccountLimitsDto } from '../accounts/limits/account-limits.dto.js';
import { lockLimits, refuseIncrease, refuseOneMore } from '../accounts/limits/account-limits.js';
import { newId } from '../database/ids.js';
import { EndpointEntity } from '../endpoints/endpoint.entity.js';
import { EndpointRecords } from '../endpoints/endpoint-records.js';
import { AppError, noSuch } from '../errors/app-error.js';
import { emptyFeed } from '../events/event-feed.js';
import { timeOf } from '../http/validation/rules.js';
import { forgetUsageOf } from '../quota/forget-usage.js';
import { digestOfSecret, newSecret } from '../secrets/rotated-secrets.js';
import { SecretBox } from '../secrets/secret-box.js';
import { ApiKeyEntity } from './api-key.entity.js';
import * as sql from './api-key-records.statements.js';
import { digestOfApiKey, displayOfApiKey } from './api-key-token.js';
import { type ApiKeyChangeDto, defaultLimits, type NewApiKeyDto } from './api-keys.dto.js';
import { KeyPepper } from './key-pepper.js';

/** A key as it was made, with what is shown once. */
export interface IssuedApiKey {
  readonly record: ApiKeyEntity;
  readonly webhook: EndpointEntity;
  readonly token: string;
  readonly signingSecret: string;
  readonly webhookSecret: string;
}

/** A key and what is stored of it. */
export interface DigestedKey {
  readonly token: string;
  readonly digest: Buffer;
}

/** Writes keys: digests of them, their secrets sealed. */
@Injectable()
export class ApiKeyRecords {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pepper: KeyPepper,
    private readonly secrets: SecretBox,
    private readonly endpoints: EndpointRecords,
  ) {}

  /**
   * A key that the user may see; of any account if `accountId` is null.
   * @throws AppError NOT_FOUND, the same for an unknown key and one of another account.
   */
  async get(id: string, accountId: string | null): Promise<ApiKeyEntity> {
    return this.find(this.dataSource.manager, id, accountId);
  }

  /** The same, locked until the transaction ends. */
  async lock(manager: EntityManager, id: string, accountId: string | null): Promise<ApiKeyEntity> {
    return this.find(manager, id, accountId, true);
  }

  /**
   * Stores a new key.
   * @param key digested before the transaction: the pepper may have to be read first.
   * @throws AppError ACCOUNT_LIMIT
   */
  async addKey(
    manager: EntityManager,
    accountId: string,
    given: NewApiKeyDto,
    { token, digest }: DigestedKey,
  ): Promise<IssuedApiKey> {
    const id = newId();
    const signingSecret = newSecret('sgsec_');
    const mode = given.mode ?? 'live';
    const columns = columnsOf(given, { isNew: true });
    const limits = await lockLimits(manager, accountId);
    const present = await manager.countBy(ApiKeyEntity, { accountId, revokedAt: IsNull() });
    refuseOneMore('keys', limits, present);
    refuseIncreases(limits, columns, { rateLimitPerMinute: 0, dailyLimit: 0 });
    await manager.insert(ApiKeyEntity, {
      id,
      accountId,
      mode,
      digest,
      display: displayOfApiKey(token),
      signingSecret: this.sealSigningSecret(id, signingSecret),
      ...columns,
    });
    const record = await manager.findOneByOrFail(ApiKeyEntity, { id });
    const { endpoint: webhook, secret: webhookSecret } = await this.endpoints.add(manager, {
      id,
      apiKeyId: id,
      accountId,
      mode,
      ...webhookColumnsOf(given),
    });
    return { record, webhook, token, signingSecret, webhookSecret };
  }

  /**
   * Keeps other keys from taking a name until the transaction ends. Names that clashed before this rule stay.
   * @param ownId the key that is renamed.
   * @throws AppError NAME_TAKEN when another key of the account has the name, in upper or lower case.
   */
  async reserveName(
    manager: EntityManager,
    accountId: string,
    name: string,
    ownId: string | null = null,
  ): Promise<void> {
    await sql.lockKeyNames.run(manager, { accountId });
    const keys = await sql.listOtherKeyNames.rows(manager, { accountId, ownId });
    // Compared here: what PostgreSQL takes for lower case depends on the database's locale.
    if (keys.some((key) => comparable(key.name) === comparable(name))) throw nameTaken();
  }

  /** Changes a locked key; the caller raises the account's version. @throws AppError ACCOUNT_LIMIT */
  async change(
    manager: EntityManager,
    before: ApiKeyEntity,
    columns: Partial<ApiKeyEntity>,
  ): Promise<ApiKeyEntity> {
    const { id, accountId } = before;
    if (columns.rateLimitPerMinute !== undefined || columns.dailyLimit !== undefined) {
      refuseIncreases(await lockLimits(manager, accountId), columns, before);
    }
    await manager.update(ApiKeyEntity, { id }, { ...columns, updatedAt: new Date() });
    return manager.findOneByOrFail(ApiKeyEntity, { id });
  }

  /** Removes a key with everything that only it needs. Its messages and totals stay. @returns its endpoints. */
  async remove(manager: EntityManager, { id }: ApiKeyEntity): Promise<readonly string[]> {
    // Before the key: its endpoints go with it.
    await emptyFeed(manager, id);
    const ended = await this.endpoints.giveUp(manager, id, 'no_endpoint');
    await manager.delete(ApiKeyEntity, { id });
    await forgetUsageOf(manager, id);
    return ended;
  }

  digest(token: string): Promise<Buffer> {
    return this.pepper.get().then((pepper) => digestOfApiKey(token, pepper));
  }

  sealSigningSecret(id: string, secret: string): string {
    return this.secrets.seal(secret, signingSecretPlace(id));
  }

  /** What tells the values of a key apart: of each kind the present, the previous and the one before; null for none. */
  digestsOf(key: ApiKeyEntity): Record<'key' | 'signing', readonly (string | null)[]> {
    const place = signingSecretPlace(key.id);
    return {
      key: [key.digest, key.previousDigest, key.olderDigest].map(
        (digest) => digest && digest.toString('base64'),
      ),
      signing: [key.signingSecret, key.previousSigningSecret, key.olderSigningSecret].map(
        (sealed) => sealed && digestOfSecret(this.secrets.open(sealed, place)),
      ),
    };
  }

  private async find(
    manager: EntityManager,
    id: string,
    accountId: string | null,
    isLocked = false,
  ): Promise<ApiKeyEntity> {
    const key = isUUID(id)
      ? await manager.findOne(ApiKeyEntity, {
          where: { id: id.toLowerCase(), ...(accountId !== null && { accountId }) },
          ...(isLocked && { lock: { mode: 'pessimistic_write' } }),
        })
      : null;
    if (!key) throw noSuch('API key');
    return key;
  }
}

/** Where a sealed signing secret belongs; see `SecretBox`. */
export const signingSecretPlace = (id: string) => `api_keys.signing_secret.${id}`;

type CallLimits = Pick<ApiKeyEntity, 'rateLimitPerMinute' | 'dailyLimit'>;

function refuseIncreases(
  limits: AccountLimitsDto,
  { rateLimitPerMinute: perMinute = 0, dailyLimit: perDay = 0 }: Partial<CallLimits>,
  present: CallLimits,
): void {
  refuseIncrease('rate_limit_per_minute', limits, perMinute, present.rateLimitPerMinute);
  refuseIncrease('daily_limit', limits, perDay, present.dailyLimit);
}

const comparable = (name: string) => name.trim().toLowerCase();

/** Another key of the account has the name. */
export function nameTaken(): AppError {
  return new AppError('NAME_TAKEN', { message: 'The account has a key with this name.' });
}

/**
 * The columns that a caller's fields set; absent fields set none, `null` sets the default.
 * @param isNew absent fields set their defaults, too.
 */
export function columnsOf(
  given: ApiKeyChangeDto | NewApiKeyDto,
  { isNew } = { isNew: false },
): Partial<ApiKeyEntity> {
  const columns: [given: unknown, Partial<ApiKeyEntity>][] = [
    [given.name, { name: given.name?.trim() }],
    [given.permissions, { permissions: [...new Set(given.permissions)] }],
    [given.description, { description: given.description ?? null }],
    [
      given.rate_limit_per_minute,
      { rateLimitPerMinute: given.rate_limit_per_minute ?? defaultLimits.perMinute },
    ],
    [given.daily_limit, { dailyLimit: given.daily_limit ?? defaultLimits.perDay }],
    [given.expires_at, { expiresAt: timeOf(given.expires_at) }],
    [given.allowed_ips, { allowedIps: given.allowed_ips ?? [] }],
    [given.active, { active: given.active ?? true }],
    [given.event_feed, { eventFeed: given.event_feed ?? false }],
    [given.graph_access, { graphAccess: given.graph_access ?? false }],
    [given.require_signature, { requireSignature: given.require_signature ?? false }],
  ];
  const set = columns.filter(([value]) => isNew || value !== undefined);
  return Object.assign({}, ...set.map(([, column]) => column));
}

/** The same for the key's default endpoint. */
export function webhookColumnsOf({
  webhook_url: url,
  webhook_events: events,
}: ApiKeyChangeDto | NewApiKeyDto): Partial<EndpointEntity> {
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: events && [...new Set(events)] }),
  };
}
