import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { minuteMs } from '#libs/durations';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { AccountChanges } from '../accounts/account-changes.js';
import { AuditLog, changesBetween } from '../audit/audit-log.js';
import { Config } from '../config/config.js';
import { isDuplicate } from '../database/store-errors.js';
import { EndpointEntity } from '../endpoints/endpoint.entity.js';
import { EndpointRecords } from '../endpoints/endpoint-records.js';
import { refusePrivate } from '../endpoints/public-address.js';
import { AppError, noSuch, validationError } from '../errors/app-error.js';
import { emptyFeed } from '../events/event-feed.js';
import { EventHints } from '../hints/event-hints.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKeyDto, ApiKeyUsageDto, CreatedApiKeyDto } from './api-key-answers.dto.js';
import { ApiKeyRecords, columnsOf, nameTaken, webhookColumnsOf } from './api-key-records.js';
import { createApiKey } from './api-key-token.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { apiKeyView, auditedView } from './api-key-views.js';
import type { AccountModeQueryDto, ApiKeyChangeDto, NewApiKeyDto } from './api-keys.dto.js';

/** What a change sets of a key, and of its default endpoint. */
interface ChangedColumns {
  readonly key?: Partial<ApiKeyEntity>;
  readonly webhook?: Partial<EndpointEntity>;
}

/**
 * API keys, for those who manage them. Administrators see only the keys of their account; for a key of
 * another account they get the same answer as for one that does not exist.
 */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly records: ApiKeyRecords,
    private readonly endpoints: EndpointRecords,
    private readonly usages: ApiKeyUsage,
    private readonly changes: AccountChanges,
    private readonly audit: AuditLog,
    private readonly hints: EventHints,
  ) {}

  /** The newest first. */
  async list(
    user: SignedInUser,
    { account_id: asked, mode }: AccountModeQueryDto,
  ): Promise<ApiKeyDto[]> {
    const accountId = accountScope(user, asked);
    const where = { ...(accountId !== null && { accountId }), ...(mode && { mode }) };
    const keys = await this.dataSource
      .getRepository(ApiKeyEntity)
      .find({ where, order: { id: 'desc' } });
    const ids = keys.map(({ id }) => id);
    const [standings, webhooks] = await Promise.all([
      this.usages.standings(keys),
      this.dataSource.getRepository(EndpointEntity).findBy({ id: In(ids) }),
    ]);
    const webhookOf = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    return keys.flatMap((key) => {
      const webhook = webhookOf.get(key.id);
      // A key may be deleted meanwhile.
      return webhook ? [apiKeyView(key, webhook, standings.get(key.id))] : [];
    });
  }

  /** @throws AppError NOT_FOUND */
  async get(user: SignedInUser, id: string): Promise<ApiKeyDto> {
    return this.view(await this.records.get(id, accountScope(user)));
  }

  /** @throws AppError NOT_FOUND */
  async usage(user: SignedInUser, id: string): Promise<ApiKeyUsageDto> {
    return this.usages.of(await this.records.get(id, accountScope(user)));
  }

  /**
   * Makes a key and shows its secrets, once.
   * @throws AppError NAME_TAKEN, ACCOUNT_LIMIT, VALIDATION_ERROR, NOT_FOUND for an account that is not there
   */
  async create(user: SignedInUser, given: NewApiKeyDto): Promise<CreatedApiKeyDto> {
    if (given.mode === 'test' && this.config.simulatorUrl === null) {
      throw validationError({ mode: 'test needs a simulator; SIMULATOR_URL is not set' });
    }
    this.refusePrivate(given);
    refuseSignedDoor(columnsOf(given, { isNew: true }), given);
    const token = createApiKey(given.mode ?? 'live');
    const key = { token, digest: await this.records.digest(token) };
    // Unknown keys are never cached, so a new one needs no new version of its account.
    const issued = await nameOnce(() =>
      this.dataSource.transaction(async (manager) => {
        const accountId = await this.accountOf(manager, user, given.account_id);
        await this.records.reserveName(manager, accountId, given.name);
        const added = await this.records.addKey(manager, accountId, given, key);
        await this.record(manager, user, 'api_key.created', added.record, {
          ...auditedView(added.record, added.webhook),
          shown: ['key', 'signing_secret', 'webhook_secret'],
        });
        return added;
      }),
    );
    return {
      api_key: apiKeyView(issued.record, issued.webhook, undefined),
      key: issued.token,
      signing_secret: issued.signingSecret,
      webhook_secret: issued.webhookSecret,
    };
  }

  /** @throws AppError NOT_FOUND, NAME_TAKEN, CONFLICT, WEBHOOK_LIMIT, ACCOUNT_LIMIT, SERVICE_UNAVAILABLE */
  async update(user: SignedInUser, id: string, given: ApiKeyChangeDto): Promise<ApiKeyDto> {
    this.refusePrivate(given);
    return nameOnce(() =>
      this.change(user, id, 'api_key.updated', async (key, manager) => {
        if (given.active === true && key.revokedAt) throw staysRevoked();
        const columns = columnsOf(given);
        refuseSignedDoor(
          {
            graphAccess: columns.graphAccess ?? key.graphAccess,
            requireSignature: columns.requireSignature ?? key.requireSignature,
          },
          given,
        );
        if (columns.name !== undefined && columns.name !== key.name) {
          await this.records.reserveName(manager, key.accountId, columns.name, key.id);
        }
        return { key: columns, webhook: webhookColumnsOf(given) };
      }),
    );
  }

  /** For good. @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE */
  revoke(user: SignedInUser, id: string): Promise<ApiKeyDto> {
    return this.change(user, id, 'api_key.revoked', (key) => ({
      key: { revokedAt: key.revokedAt ?? new Date() },
    }));
  }

  /** @throws AppError NOT_FOUND, CONFLICT for a revoked key, SERVICE_UNAVAILABLE */
  suspend(user: SignedInUser, id: string, reason: string): Promise<ApiKeyDto> {
    return this.change(user, id, 'api_key.suspended', (key) => {
      if (key.revokedAt) throw staysRevoked();
      return { key: { suspendedAt: key.suspendedAt ?? new Date(), suspendedReason: reason } };
    });
  }

  /** Ends a suspension. @throws AppError NOT_FOUND, CONFLICT for a revoked key, SERVICE_UNAVAILABLE */
  reinstate(user: SignedInUser, id: string): Promise<ApiKeyDto> {
    return this.change(user, id, 'api_key.reinstated', (key) => {
      if (key.revokedAt) throw staysRevoked();
      return { key: { suspendedAt: null, suspendedReason: null } };
    });
  }

  /** @throws AppError NOT_FOUND, CONFLICT where requests are not logged, SERVICE_UNAVAILABLE */
  keepBodies(user: SignedInUser, id: string, minutes: number): Promise<ApiKeyDto> {
    return this.change(user, id, 'api_key.bodies_kept', () => {
      if (this.config.requestLogDays === 0) {
        throw new AppError('CONFLICT', {
          message: 'Requests are not logged: REQUEST_LOG_DAYS is 0.',
        });
      }
      return { key: { bodiesKeptUntil: new Date(Date.now() + minutes * minuteMs) } };
    });
  }

  /** @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE */
  keepNoBodies(user: SignedInUser, id: string): Promise<ApiKeyDto> {
    return this.change(user, id, 'api_key.bodies_not_kept', () => ({
      key: { bodiesKeptUntil: null },
    }));
  }

  /** Switches an endpoint on again. @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE */
  enableWebhook(user: SignedInUser, id: string): Promise<ApiKeyDto> {
    return this.change(user, id, 'api_key.webhook_enabled', () => ({
      webhook: { disabledAt: null, disabledReason: null },
    }));
  }

  /** For good and at once; the name is free again. @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE */
  async delete(user: SignedInUser, id: string): Promise<object> {
    let ended: readonly string[] = [];
    const result = await this.changes.apply(async (manager) => {
      const key = await this.records.lock(manager, id, accountScope(user));
      const webhook = await this.endpoints.lockDefault(manager, key.id);
      ended = await this.records.remove(manager, key);
      await this.record(manager, user, 'api_key.deleted', key, auditedView(key, webhook));
      return { accountId: key.accountId, result: { deleted: true } };
    });
    for (const endpointId of ended) this.hints.wake(endpointId, 0);
    return result;
  }

  private refusePrivate({ webhook_url: url }: ApiKeyChangeDto | NewApiKeyDto): void {
    if (url) refusePrivate('webhook_url', url, this.config.webhookAllowPrivate);
  }

  private async change(
    user: SignedInUser,
    id: string,
    action: `api_key.${string}`,
    columnsFor: (
      key: ApiKeyEntity,
      manager: EntityManager,
    ) => ChangedColumns | Promise<ChangedColumns>,
  ): Promise<ApiKeyDto> {
    let toWake: readonly string[] = [];
    const changed = await this.changes.apply(async (manager) => {
      const before = await this.records.lock(manager, id, accountScope(user));
      const webhookBefore = await this.endpoints.lockDefault(manager, before.id);
      toWake = [before.id];
      const columns = await columnsFor(before, manager);
      const after = await this.records.change(manager, before, columns.key ?? {});
      // A feed has what came since it was switched on.
      if (before.eventFeed !== after.eventFeed) await emptyFeed(manager, after.id);
      const webhook = await this.endpoints.change(manager, webhookBefore, columns.webhook ?? {});
      if (!before.revokedAt && after.revokedAt) {
        toWake = await this.endpoints.giveUp(manager, after.id, 'key_revoked');
      }
      const changes = changesBetween(
        auditedView(before, webhookBefore),
        auditedView(after, webhook),
      );
      await this.record(manager, user, action, after, changes);
      return { accountId: before.accountId, result: after };
    });
    for (const endpointId of toWake) this.hints.wake(endpointId, 0);
    return this.view(changed);
  }

  /** The key with its default endpoint. @throws AppError NOT_FOUND if it is gone meanwhile */
  async view(key: ApiKeyEntity): Promise<ApiKeyDto> {
    const [standings, webhook] = await Promise.all([
      this.usages.standings([key]),
      this.dataSource.getRepository(EndpointEntity).findOneBy({ id: key.id }),
    ]);
    if (!webhook) throw noSuch('API key');
    return apiKeyView(key, webhook, standings.get(key.id));
  }

  /** The account of a new key: the user's own, the one that the operator names, or the only one. */
  private async accountOf(
    manager: EntityManager,
    user: SignedInUser,
    asked?: string | null,
  ): Promise<string> {
    const scope = accountScope(user, asked);
    const accounts = await manager.find(AccountEntity, {
      select: { id: true },
      where: scope === null ? {} : { id: scope },
      take: 2,
    });
    const [only] = accounts;
    if (only && accounts.length === 1) return only.id;
    if (scope !== null) throw noSuch('account');
    throw validationError({
      account_id: only
        ? 'is required: there are several accounts'
        : 'is required: there is no account yet',
    });
  }

  private record(
    manager: EntityManager,
    user: SignedInUser,
    action: `api_key.${string}`,
    key: ApiKeyEntity,
    details: object,
  ): Promise<void> {
    return this.audit.record(manager, user.actor, {
      action,
      accountId: key.accountId,
      subjectId: key.id,
      subjectName: key.name,
      details,
    });
  }
}

/** The refusal of any change that would bring a revoked key back. */
export function staysRevoked(): AppError {
  return new AppError('CONFLICT', { message: 'A revoked key stays revoked; create a new one.' });
}

/**
 * Programs that speak WhatsApp's own API sign nothing.
 * @throws AppError VALIDATION_ERROR for a key that would need signatures from them.
 */
function refuseSignedDoor(
  { graphAccess, requireSignature }: Partial<ApiKeyEntity>,
  given: ApiKeyChangeDto,
): void {
  if (!graphAccess || !requireSignature) return;
  throw validationError(
    given.graph_access
      ? { graph_access: 'is not possible with require_signature: such programs sign nothing' }
      : { require_signature: 'is not possible with graph_access: such programs sign nothing' },
  );
}

async function nameOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDuplicate(error, 'api_keys_account_id_name_key')) throw error;
    throw nameTaken();
  }
}
