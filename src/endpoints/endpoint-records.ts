import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, Not } from 'typeorm';
import { lockLimits, refuseOneMore } from '../accounts/limits/account-limits.js';
import { resolveAlert } from '../alerts/alerts.js';
import type { Row } from '../database/statements/statement.js';
import { AppError } from '../errors/app-error.js';
import { forgetFailures, giveUpWaiting } from '../events/endpoint-events.statements.js';
import { digestOfSecret, keepFormer, newSecret } from '../secrets/rotated-secrets.js';
import { SecretBox } from '../secrets/secret-box.js';
import {
  defaultEndpointName,
  EndpointEntity,
  type EndpointFormat,
  type HandshakeState,
  isDefaultEndpoint,
} from './endpoint.entity.js';
import * as sql from './endpoint-records.statements.js';

/** Endpoints with an address that a key may have. */
const endpointsMax = 10;

/** What a new endpoint must have; the rest has defaults. Secrets are plain here. */
export type NewEndpoint = Pick<EndpointEntity, 'id' | 'apiKeyId' | 'accountId' | 'mode'> &
  Partial<EndpointEntity>;

const placeOf = (id: string) => `webhook_endpoints.secret.${id}`;
const tokenPlaceOf = (id: string) => `webhook_endpoints.verify_token.${id}`;

/** A secret that signs an endpoint's requests. Those of WhatsApp's form are 32 hex digits, as WhatsApp's app secrets. */
const secretFor = (format: EndpointFormat | undefined) =>
  format === 'whatsapp' ? randomBytes(16).toString('hex') : newSecret('whsec_');

/** Writes endpoints, with their secrets sealed. */
@Injectable()
export class EndpointRecords {
  constructor(private readonly secrets: SecretBox) {}

  /**
   * Stores an endpoint of a locked or new key, with its own secret or a new one.
   * @returns its secret, which is shown once.
   * @throws AppError WEBHOOK_LIMIT, ACCOUNT_LIMIT
   */
  async add(
    manager: EntityManager,
    endpoint: NewEndpoint,
  ): Promise<{ endpoint: EndpointEntity; secret: string }> {
    const { id, url } = endpoint;
    if (url) await refuseTooMany(manager, endpoint);
    const secret = endpoint.secret ?? secretFor(endpoint.format);
    await manager.insert(EndpointEntity, {
      name: defaultEndpointName,
      ...endpoint,
      ...this.sealedToken(id, endpoint.verifyToken),
      secret: this.seal(id, secret),
    });
    return { endpoint: await manager.findOneByOrFail(EndpointEntity, { id }), secret };
  }

  /** The default endpoint of a key, locked until the transaction ends. */
  lockDefault(manager: EntityManager, apiKeyId: string): Promise<EndpointEntity> {
    return manager.findOneOrFail(EndpointEntity, {
      where: { id: apiKeyId },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /**
   * Changes a locked endpoint of a locked key. One that goes elsewhere, or is on again, begins without failures and alert;
   * its handshake is to be done again. A verify token is plain here.
   * @throws AppError WEBHOOK_LIMIT, ACCOUNT_LIMIT when it had no address and gets one
   */
  async change(
    manager: EntityManager,
    before: EndpointEntity,
    columns: Partial<EndpointEntity>,
  ): Promise<EndpointEntity> {
    if (Object.keys(columns).length === 0) return before;
    const { id, accountId } = before;
    if (columns.url && before.url === null) await refuseTooMany(manager, before);
    const isElsewhere = columns.url !== undefined && columns.url !== before.url;
    await manager.update(
      EndpointEntity,
      { id },
      {
        ...(isElsewhere && { disabledAt: null, disabledReason: null }),
        ...((isElsewhere || columns.verifyToken !== undefined) && {
          handshakeState: 'not_done' as const,
          handshakeAt: null,
        }),
        ...columns,
        ...this.sealedToken(id, columns.verifyToken),
        updatedAt: new Date(),
      },
    );
    const after = await manager.findOneByOrFail(EndpointEntity, { id });
    // The failures of one address say nothing about another.
    if (isElsewhere) await forgetFailures.run(manager, { endpointId: id });
    if (before.disabledAt && !after.disabledAt) {
      await resolveAlert(manager, { accountId, kind: 'webhook_disabled', subject: id });
    }
    return after;
  }

  /**
   * A new secret for a locked endpoint.
   * @param until when the present one ends. WhatsApp's form has room for one signature: the new secret alone signs there.
   * @param given null: one is made.
   */
  async rotateSecret(
    manager: EntityManager,
    before: EndpointEntity,
    until: Date | null,
    given: string | null = null,
  ): Promise<{ endpoint: EndpointEntity; secret: string }> {
    const secret = given ?? secretFor(before.format);
    const [previous, older] = keepFormer([
      { secret: before.secret, until: before.format === 'whatsapp' ? null : until },
      { secret: before.previousSecret, until: before.previousExpiresAt },
      { secret: before.olderSecret, until: before.olderExpiresAt },
    ]);
    const endpoint = await this.change(manager, before, {
      secret: this.seal(before.id, secret),
      previousSecret: previous.secret,
      previousExpiresAt: previous.until,
      olderSecret: older.secret,
      olderExpiresAt: older.until,
    });
    return { endpoint, secret };
  }

  /** Takes the address of a locked endpoint away. The default one stays, to get another address. */
  end(manager: EntityManager, before: EndpointEntity): Promise<EndpointEntity> {
    return this.change(manager, before, {
      url: null,
      ...(!isDefaultEndpoint(before) && { deletedAt: new Date() }),
    });
  }

  /** Ends the endpoints of a key: nothing that waits for them is tried again. @returns their ids. */
  async giveUp(
    manager: EntityManager,
    apiKeyId: string,
    reason: 'key_revoked' | 'no_endpoint',
  ): Promise<readonly string[]> {
    const endpoints = await sql.listEndpointsOfKey.rows(manager, { apiKeyId });
    for (const { id } of endpoints) {
      await giveUpWaiting.run(manager, { endpointId: id, error: reason });
    }
    return endpoints.map(({ id }) => id);
  }

  /** The secret with a digest, if the endpoint still signs with it. */
  secretOf(
    { id, secret, previousSecret, olderSecret }: EndpointEntity,
    digest: string,
  ): string | undefined {
    return [secret, previousSecret, olderSecret]
      .filter((sealed) => sealed !== null)
      .map((sealed) => this.secrets.open(sealed, placeOf(id)))
      .find((each) => digestOfSecret(each) === digest);
  }

  /** The verify token of an endpoint; null: it has none. */
  verifyTokenOf({ id, verifyToken }: Pick<EndpointEntity, 'id' | 'verifyToken'>): string | null {
    return verifyToken && this.secrets.open(verifyToken, tokenPlaceOf(id));
  }

  /** Stores what came of a handshake, unless the endpoint has another address or token by now. */
  async noteHandshake(
    manager: EntityManager,
    { id, url, verifyToken }: EndpointEntity,
    state: HandshakeState,
  ): Promise<void> {
    await manager.update(
      EndpointEntity,
      { id, url: url ?? IsNull(), verifyToken: verifyToken ?? IsNull() },
      { handshakeState: state, handshakeAt: new Date() },
    );
  }

  private sealedToken(id: string, token: string | null | undefined) {
    return token ? { verifyToken: this.secrets.seal(token, tokenPlaceOf(id)) } : {};
  }

  private seal(id: string, secret: string): string {
    return this.secrets.seal(secret, placeOf(id));
  }
}

/** Refuses one more address for a locked key, or an account, that has as many as it may. */
async function refuseTooMany(
  manager: EntityManager,
  { apiKeyId, accountId }: Pick<EndpointEntity, 'apiKeyId' | 'accountId'>,
): Promise<void> {
  const url = Not(IsNull());
  if ((await manager.countBy(EndpointEntity, { apiKeyId, url })) >= endpointsMax) {
    throw new AppError('WEBHOOK_LIMIT', { details: { max: endpointsMax } });
  }
  const limits = await lockLimits(manager, accountId);
  refuseOneMore('endpoints', limits, await manager.countBy(EndpointEntity, { accountId, url }));
}

/** Counts deliveries that were left out because they are too large. */
export async function countLeftOut(
  manager: EntityManager,
  endpointIds: readonly string[],
): Promise<void> {
  if (endpointIds.length === 0) return;
  await sql.countLeftOut.run(manager, { endpointIds });
}

/**
 * Switches an endpoint off. Returns it, or null if it is off already, gone, or has got another address.
 * @param url the address that is why.
 */
export function switchEndpointOff(
  manager: EntityManager,
  endpoint: { readonly id: string; readonly url: string; readonly reason: string },
): Promise<Row<typeof sql.switchEndpointOff> | null> {
  return sql.switchEndpointOff.row(manager, endpoint);
}
