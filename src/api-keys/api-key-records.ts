import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { newId } from '../database/ids.js';
import { AppError } from '../errors/app-error.js';
import { giveUpEvents } from '../events/event-rows.js';
import { timeOf } from '../http/validation/rules.js';
import { forgetUsageOf } from '../quota/forget-usage.js';
import { SecretBox } from '../secrets/secret-box.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { createApiKey, digestOfApiKey, displayOfApiKey } from './api-key-token.js';
import { type ApiKeyChangeDto, defaultLimits, type NewApiKeyDto } from './api-keys.dto.js';
import { KeyPepper } from './key-pepper.js';

/** A key as it was made, with what is shown once. */
export interface IssuedApiKey {
  readonly record: ApiKeyEntity;
  readonly token: string;
  readonly signingSecret: string;
  readonly webhookSecret: string;
}

/** Writes keys: digests of them, their secrets sealed. */
@Injectable()
export class ApiKeyRecords {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pepper: KeyPepper,
    private readonly secrets: SecretBox,
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
   * @param token the key itself where it exists already, else a new one.
   */
  async addKey(
    manager: EntityManager,
    accountId: string,
    given: NewApiKeyDto,
    token = createApiKey(given.mode ?? 'live'),
  ): Promise<IssuedApiKey> {
    const id = newId();
    const signingSecret = newSecret('sgsec_');
    const webhookSecret = newSecret('whsec_');
    await manager.insert(ApiKeyEntity, {
      id,
      accountId,
      mode: given.mode ?? 'live',
      digest: await this.digest(token),
      display: displayOfApiKey(token),
      signingSecret: this.seal('signing_secret', id, signingSecret),
      webhookSecret: this.seal('webhook_secret', id, webhookSecret),
      ...columnsOf(given, { isNew: true }),
    });
    const record = await manager.findOneByOrFail(ApiKeyEntity, { id });
    return { record, token, signingSecret, webhookSecret };
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
    await manager.query('select 1 from accounts where id = $1 for no key update', [accountId]);
    const keys: { name: string }[] = await manager.query(
      'select name from api_keys where account_id = $1 and id is distinct from $2',
      [accountId, ownId],
    );
    // Compared here: what PostgreSQL takes for lower case depends on the database's locale.
    if (keys.some((key) => comparable(key.name) === comparable(name))) throw nameTaken();
  }

  /** Changes a locked key; the caller raises the account's version. */
  async change(
    manager: EntityManager,
    { id }: ApiKeyEntity,
    columns: Partial<ApiKeyEntity>,
  ): Promise<ApiKeyEntity> {
    await manager.update(ApiKeyEntity, { id }, { ...columns, updatedAt: new Date() });
    return manager.findOneByOrFail(ApiKeyEntity, { id });
  }

  /** Removes a key with everything that only it needs. Its messages and totals stay. */
  async remove(manager: EntityManager, { id }: ApiKeyEntity): Promise<void> {
    await manager.delete(ApiKeyEntity, { id });
    await giveUpEvents(manager, id, 'no_endpoint');
    await forgetUsageOf(manager, id);
  }

  digest(token: string): Promise<Buffer> {
    return this.pepper.get().then((pepper) => digestOfApiKey(token, pepper));
  }

  seal(column: 'signing_secret' | 'webhook_secret', id: string, secret: string): string {
    return this.secrets.seal(secret, `api_keys.${column}.${id}`);
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
    if (!key) throw new AppError('NOT_FOUND');
    return key;
  }
}

const comparable = (name: string) => name.trim().toLowerCase();

/** Another key of the account has the name. */
export function nameTaken(): AppError {
  return new AppError('NAME_TAKEN', { message: 'The account has a key with this name.' });
}

/** A new secret: 32 random bytes behind the prefix that names its kind. */
export function newSecret(prefix: 'sgsec_' | 'whsec_'): string {
  return `${prefix}${randomBytes(32).toString('base64')}`;
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
    [given.require_signature, { requireSignature: given.require_signature ?? false }],
    [given.webhook_url, { webhookUrl: given.webhook_url ?? null }],
    [
      given.webhook_events,
      { webhookEvents: given.webhook_events ? [...new Set(given.webhook_events)] : null },
    ],
  ];
  const set = columns.filter(([value]) => isNew || value !== undefined);
  return Object.assign({}, ...set.map(([, column]) => column));
}

/** Switches the webhook of a key off. Returns the key, or null if it is off already or gone. */
export async function switchWebhookOff(
  manager: EntityManager,
  apiKeyId: string,
  reason: string,
): Promise<{ accountId: string; name: string } | null> {
  const [rows]: [{ accountId: string; name: string }[], number] = await manager.query(
    `update api_keys set webhook_disabled_at = now(), webhook_disabled_reason = $2
     where id = $1 and webhook_disabled_at is null returning account_id as "accountId", name`,
    [apiKeyId, reason],
  );
  return rows[0] ?? null;
}
