import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import type { Actor } from '../../access/signed-in-user.js';
import { AccountVersions, raiseVersion } from '../../accounts/account-versions.js';
import type { ApiKeyEntity } from '../../api-keys/api-key.entity.js';
import { ApiKeyRecords } from '../../api-keys/api-key-records.js';
import { staysRevoked } from '../../api-keys/api-keys.service.js';
import { AuditLog, changesBetween } from '../../audit/audit-log.js';
import { Config } from '../../config/config.js';
import { newId } from '../../database/ids.js';
import {
  defaultEndpointName,
  EndpointEntity,
  isDefaultEndpoint,
} from '../../endpoints/endpoint.entity.js';
import { EndpointRecords } from '../../endpoints/endpoint-records.js';
import { refusePrivate } from '../../endpoints/public-address.js';
import { AppError, noSuch, validationError } from '../../errors/app-error.js';
import { EventHints } from '../../hints/event-hints.js';
import { type PageDto, pageOf } from '../../http/validation/page.dto.js';
import { isGiven } from '../../http/validation/rules.js';
import type { Written } from '../../idempotency/repeated-requests.js';
import { digestOfSecret, overlapEnd } from '../../secrets/rotated-secrets.js';
import { EndpointDeliveries, refuseUnusable } from '../endpoint-deliveries.js';
import { columnsOf, ofWhatsapp, recorded, refuseOtherFormat, shown } from './endpoint-columns.js';
import { EndpointHandshakes } from './endpoint-handshakes.js';
import { refuseUnreadable } from './endpoint-permissions.js';
import type {
  AddedEndpointAnswerDto,
  EndpointChangeDto,
  EndpointDto,
  EndpointSecretDto,
  EndpointSettingsDto,
  EndpointsDto,
  NewEndpointDto,
  SecretRotationDto,
} from './endpoints.dto.js';

/** How long events are signed with the former secret, too. */
const overlapSeconds = 86_400;

/** Whose endpoints are managed, and by whom. */
export type EndpointOwner = Pick<Caller, 'accountId' | 'actor'> & {
  readonly apiKeyId: string;
  /** Where the request came from. */
  readonly address: string;
};

/** An endpoint that was added, without its secret. */
export interface AddedEndpoint {
  readonly webhook: EndpointDto;
  readonly secretDigest: string;
}

/** The endpoints of a key. One of another key is treated as missing. */
@Injectable()
export class EndpointSettings {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: ApiKeyRecords,
    private readonly records: EndpointRecords,
    private readonly deliveries: EndpointDeliveries,
    private readonly handshakes: EndpointHandshakes,
    private readonly versions: AccountVersions,
    private readonly audit: AuditLog,
    private readonly hints: EventHints,
    private readonly config: Config,
  ) {}

  /** The oldest first. @throws AppError NOT_FOUND for an unknown key */
  async list(
    { apiKeyId, accountId }: EndpointOwner,
    { limit, cursor }: PageDto,
  ): Promise<EndpointsDto> {
    const key = await this.keys.get(apiKeyId, accountId);
    const endpoints = await this.dataSource.getRepository(EndpointEntity).find({
      where: { apiKeyId: key.id, url: Not(IsNull()), ...(cursor && { id: MoreThan(cursor) }) },
      order: { id: 'asc' },
      take: limit + 1,
    });
    const { page, next_cursor } = pageOf(endpoints, limit);
    const webhooks: EndpointDto[] = [];
    for (const endpoint of page) webhooks.push(await this.view(endpoint, key));
    return { webhooks, next_cursor };
  }

  /** @throws AppError NOT_FOUND */
  async get(owner: EndpointOwner, id: string): Promise<EndpointDto> {
    const key = await this.keys.get(owner.apiKeyId, owner.accountId);
    return this.view(await find(this.dataSource.manager, key.id, id), key);
  }

  /** Adds an endpoint, in a transaction of its own. @throws AppError as `createIn` and `reveal` */
  async create(owner: EndpointOwner, given: NewEndpointDto): Promise<AddedEndpointAnswerDto> {
    const { answer, publish } = await this.dataSource.transaction((manager) =>
      this.createIn(manager, owner, given),
    );
    publish();
    return this.reveal(answer);
  }

  /**
   * Adds an endpoint. The answer may be stored; `reveal` adds the secret to it after the commit.
   * @throws AppError NOT_FOUND, CONFLICT for a revoked key, PERMISSION_DENIED, WEBHOOK_LIMIT, ACCOUNT_LIMIT, VALIDATION_ERROR
   */
  async createIn(
    manager: EntityManager,
    owner: EndpointOwner,
    given: NewEndpointDto,
  ): Promise<Required<Written<AddedEndpoint>>> {
    refusePrivate('url', given.url, this.config.webhookAllowPrivate);
    const { format: asked, verify_token: verifyToken, secret: ownSecret } = given;
    const format = asked ?? 'parley';
    refuseOtherFormat(format, given);
    const { endpoint, key, secret } = await this.changeIn(manager, owner, async (of, actor) => {
      checkName(given, null);
      refuseUnreadable(of, given, null, !owner.actor);
      const added = await this.records.add(manager, {
        id: newId(),
        apiKeyId: of.id,
        accountId: of.accountId,
        mode: of.mode,
        name: given.name?.trim() ?? new URL(given.url).host,
        url: given.url,
        ...columnsOf(given),
        ...(format === 'whatsapp' && { format, events: [], scope: 'account' as const }),
        ...(isGiven(verifyToken) && { verifyToken }),
        ...(isGiven(ownSecret) && { secret: ownSecret }),
      });
      await this.record(manager, actor, of, 'created', {
        ...recorded(added.endpoint, of),
        shown: ['secret'],
      });
      return added;
    });
    // Processes that know the account as it was take its statuses without their bytes.
    const version = format === 'whatsapp' ? await raiseVersion(manager, key.accountId) : null;
    const webhook = await this.view(endpoint, key, manager);
    return {
      answer: { webhook, secretDigest: digestOfSecret(secret) },
      publish: () => {
        this.hints.wake(endpoint.id, 0);
        // If it is not told, it is known everywhere within a minute.
        if (version !== null) {
          void this.versions.publish(key.accountId, version).catch(() => undefined);
        }
      },
    };
  }

  /**
   * The answer to adding an endpoint, with the secret that it got then, which only the endpoint's row has.
   * @throws AppError CONFLICT where the endpoint is deleted, or the secret signs nothing any more
   */
  async reveal({ webhook, secretDigest }: AddedEndpoint): Promise<AddedEndpointAnswerDto> {
    const { id } = webhook;
    const endpoint = await this.dataSource.manager.findOneBy(EndpointEntity, { id });
    const isThere = endpoint !== null && endpoint.deletedAt === null;
    const secret = isThere ? this.records.secretOf(endpoint, secretDigest) : undefined;
    if (endpoint && secret !== undefined) {
      const { handshake } = ofWhatsapp(await this.shakeOnce(endpoint));
      const told = Object.assign(webhook, handshake && { handshake }, { secret });
      return { webhook: told, secret };
    }
    throw new AppError('CONFLICT', {
      message: isThere
        ? 'An earlier request with this Idempotency-Key made the endpoint; its secret was replaced since. Rotate the secret to get a new one.'
        : 'An earlier request with this Idempotency-Key made the endpoint, which was deleted since. Use another key to make a new one.',
      details: { endpoint_id: id },
    });
  }

  /** @throws AppError NOT_FOUND, CONFLICT for a revoked key, PERMISSION_DENIED, VALIDATION_ERROR */
  async update(owner: EndpointOwner, id: string, given: EndpointChangeDto): Promise<EndpointDto> {
    if (given.url) refusePrivate('url', given.url, this.config.webhookAllowPrivate);
    const { webhook } = await this.change(owner, async (key, manager, actor) => {
      const before = await find(manager, key.id, id, true);
      checkName(given, before);
      refuseOtherFormat(before.format, given);
      refuseUnreadable(key, given, before, !owner.actor);
      const url = given.url ?? before.url ?? '';
      const endpoint = await this.records.change(manager, before, {
        ...(given.name !== undefined && { name: given.name?.trim() ?? new URL(url).host }),
        ...(given.url !== undefined && { url }),
        ...(given.verify_token !== undefined && { verifyToken: given.verify_token }),
        ...columnsOf(given, before.format),
      });
      const changes = changesBetween(recorded(before, key), recorded(endpoint, key));
      await this.record(manager, actor, key, 'updated', { endpoint_id: id, ...changes });
      return { endpoint };
    });
    return webhook;
  }

  /** What waits for it fails. @throws AppError NOT_FOUND, CONFLICT for a revoked key */
  async delete(owner: EndpointOwner, id: string): Promise<object> {
    await this.change(owner, async (key, manager, actor) => {
      const before = await find(manager, key.id, id, true);
      const endpoint = await this.records.end(manager, before);
      await this.record(manager, actor, key, 'deleted', recorded(before, key));
      return { endpoint };
    });
    return { deleted: true };
  }

  /** Switches it on again. @throws AppError NOT_FOUND, CONFLICT for a revoked key */
  async enable(owner: EndpointOwner, id: string): Promise<EndpointDto> {
    const { webhook } = await this.change(owner, async (key, manager, actor) => {
      const before = await find(manager, key.id, id, true);
      const endpoint = await this.records.change(manager, before, {
        disabledAt: null,
        disabledReason: null,
      });
      await this.record(manager, actor, key, 'enabled', { endpoint_id: id });
      return { endpoint };
    });
    return webhook;
  }

  /**
   * Both secrets sign for a day; in WhatsApp's form the new one alone.
   * @throws AppError NOT_FOUND, CONFLICT for a revoked key, VALIDATION_ERROR for a given secret in Parley's form
   */
  rotateSecret(
    owner: EndpointOwner,
    id: string,
    { secret }: SecretRotationDto,
  ): Promise<EndpointSecretDto> {
    return this.change(owner, async (key, manager, actor) => {
      const before = await find(manager, key.id, id, true);
      refuseOtherFormat(before.format, { secret });
      const until = overlapEnd(overlapSeconds);
      const rotated = await this.records.rotateSecret(manager, before, until, secret);
      await this.record(manager, actor, key, 'secret_rotated', {
        endpoint_id: id,
        shown: ['secret'],
      });
      return rotated;
    });
  }

  /** Sends a test event, in WhatsApp's form after a handshake. @throws AppError NOT_FOUND, CONFLICT while it is off */
  async test(owner: EndpointOwner, id: string): Promise<string> {
    const known = await this.deliveries.find(id, owner);
    refuseUnusable(known);
    const actor = await this.actorOf(owner);
    await this.handshakes.shake(await find(this.dataSource.manager, known.api_key_id, known.id));
    return this.deliveries.test(known, actor);
  }

  /** Delivers again what has failed since a time. @throws AppError NOT_FOUND, CONFLICT while it is off */
  async recover(owner: EndpointOwner, id: string, since: string): Promise<{ recovered: number }> {
    const endpoint = await this.deliveries.find(id, owner);
    const actor = await this.actorOf(owner);
    return { recovered: await this.deliveries.recover(endpoint, since, actor) };
  }

  private async actorOf(owner: EndpointOwner): Promise<Actor> {
    const { actor, apiKeyId, accountId, address } = owner;
    return actor ?? actorOfKey(await this.keys.get(apiKeyId, accountId), address);
  }

  /** A change in a transaction of its own. */
  private async change<Secret extends string | undefined>(
    owner: EndpointOwner,
    work: (
      key: ApiKeyEntity,
      manager: EntityManager,
      actor: Actor,
    ) => Promise<{ endpoint: EndpointEntity; secret?: Secret }>,
  ): Promise<{ webhook: EndpointDto; secret: Secret }> {
    const { endpoint, secret, key } = await this.dataSource.transaction((manager) =>
      this.changeIn(manager, owner, (locked, actor) => work(locked, manager, actor)),
    );
    this.hints.wake(endpoint.id, 0);
    const shaken = await this.shakeOnce(endpoint);
    return { webhook: await this.view(shaken, key), secret: secret as Secret };
  }

  /** Asks an endpoint for its challenge that was not asked since its address or token changed. */
  private async shakeOnce(endpoint: EndpointEntity): Promise<EndpointEntity> {
    return endpoint.handshakeAt === null ? this.handshakes.shake(endpoint) : endpoint;
  }

  /** One change at a time of the endpoints of a key. */
  private async changeIn<Done>(
    manager: EntityManager,
    { apiKeyId, accountId, actor, address }: EndpointOwner,
    work: (key: ApiKeyEntity, actor: Actor) => Promise<Done>,
  ): Promise<Done & { key: ApiKeyEntity }> {
    const key = await this.keys.lock(manager, apiKeyId, accountId);
    if (key.revokedAt) throw staysRevoked();
    return { ...(await work(key, actor ?? actorOfKey(key, address))), key };
  }

  private async view(
    endpoint: EndpointEntity,
    key: ApiKeyEntity,
    manager?: EntityManager,
  ): Promise<EndpointDto> {
    const { disabledAt, disabledReason, createdAt, updatedAt } = endpoint;
    return {
      ...shown(endpoint, key),
      ...ofWhatsapp(endpoint),
      health: await this.deliveries.health(endpoint, manager),
      disabled_at: disabledAt,
      disabled_reason: disabledReason,
      created_at: createdAt,
      updated_at: updatedAt,
    };
  }

  private record(
    manager: EntityManager,
    actor: Actor,
    key: ApiKeyEntity,
    what: 'created' | 'updated' | 'deleted' | 'enabled' | 'secret_rotated',
    details: object,
  ): Promise<void> {
    return this.audit.record(manager, actor, {
      action: `api_key.endpoint_${what}`,
      accountId: key.accountId,
      subjectId: key.id,
      subjectName: key.name,
      details,
    });
  }
}

/** @throws AppError NOT_FOUND */
async function find(
  manager: EntityManager,
  apiKeyId: string,
  id: string,
  isLocked = false,
): Promise<EndpointEntity> {
  const endpoint = isUUID(id)
    ? await manager.findOne(EndpointEntity, {
        where: { id: id.toLowerCase(), apiKeyId, url: Not(IsNull()) },
        ...(isLocked && { lock: { mode: 'pessimistic_write' } }),
      })
    : null;
  if (!endpoint) throw noSuch('webhook endpoint');
  return endpoint;
}

/** @param before null for a new endpoint. @throws AppError VALIDATION_ERROR */
function checkName({ name }: EndpointSettingsDto, before: EndpointEntity | null): void {
  const isDefault = before !== null && isDefaultEndpoint(before);
  if (isDefault && name !== undefined && name !== defaultEndpointName) {
    throw validationError({ name: `cannot be changed: this endpoint is ${defaultEndpointName}` });
  }
  if (!isDefault && name?.trim() === defaultEndpointName) {
    throw validationError({ name: 'is the name of the endpoint that webhook_url sets' });
  }
}

const actorOfKey = ({ name }: ApiKeyEntity, address: string): Actor => ({
  userId: null,
  name: `API key “${name}”`,
  address,
});
