import type { Row } from '../database/statements/statement.js';
import type { EndpointEntity } from '../endpoints/endpoint.entity.js';
import { defaultWebhookEvents } from '../events/event-types.js';
import { isToCome } from '../secrets/rotated-secrets.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import type {
  ApiKeyDto,
  ApiKeyState,
  KeySecretDto,
  SecretKind,
  WebhookFailingDto,
} from './api-key-answers.dto.js';
import type { listKeyStandings } from './api-key-usage.statements.js';

/** What is known about a key in addition to its settings. */
export type KeyStanding = Readonly<Omit<Row<typeof listKeyStandings>, 'uses'>> & {
  /** The last uses of its present and former values. */
  readonly uses: { readonly key: SecretUses; readonly signing: SecretUses };
};

/** Of the present value, the previous one and the one before; empty where none was used. */
export type SecretUses = readonly (SecretUse | undefined)[];

export interface SecretUse {
  readonly at: Date;
  readonly from: string | null;
}

/** The state that a request with the key would meet; the guard refuses in the same order. */
function stateOf(key: ApiKeyEntity): ApiKeyState {
  if (key.revokedAt) return 'revoked';
  if (key.suspendedAt) return 'suspended';
  if (key.expiresAt && key.expiresAt.getTime() <= Date.now()) return 'expired';
  return key.active ? 'active' : 'inactive';
}

/** A key as the dashboard shows it, with its default endpoint. */
export function apiKeyView(
  key: ApiKeyEntity,
  webhook: EndpointEntity,
  standing: KeyStanding | undefined,
): ApiKeyDto {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    description: key.description,
    mode: key.mode,
    display: key.display,
    permissions: key.permissions,
    rate_limit_per_minute: key.rateLimitPerMinute,
    daily_limit: key.dailyLimit,
    expires_at: key.expiresAt,
    allowed_ips: key.allowedIps,
    active: key.active,
    state: stateOf(key),
    revoked_at: key.revokedAt,
    suspended_at: key.suspendedAt,
    suspended_reason: key.suspendedReason,
    require_signature: key.requireSignature,
    webhook: {
      url: webhook.url,
      events: webhook.events ?? [...defaultWebhookEvents],
      disabled_at: webhook.disabledAt,
      reason: webhook.disabledReason,
      failing: failingOf(standing),
    },
    event_feed: key.eventFeed,
    graph_access: key.graphAccess,
    previous_key_expires_at: ifToCome(key.previousExpiresAt),
    secrets: [
      ...secretsOf('key', [key.previousExpiresAt, key.olderExpiresAt], standing?.uses.key),
      ...secretsOf(
        'signing',
        [key.previousSigningExpiresAt, key.olderSigningExpiresAt],
        standing?.uses.signing,
      ),
      ...secretsOf('webhook', [webhook.previousExpiresAt, webhook.olderExpiresAt]),
    ],
    bodies_kept_until: ifToCome(key.bodiesKeptUntil),
    last_used_at: standing?.lastUsedAt ?? null,
    last_used_address: standing?.lastUsedAddress ?? null,
    created_at: key.createdAt,
    updated_at: key.updatedAt,
  };
}

const ifToCome = (time: Date | null) => (isToCome(time) ? time : null);

/** The present value, and the former ones whose overlap still runs. */
function secretsOf(
  kind: SecretKind,
  formerEnds: readonly (Date | null)[],
  uses: SecretUses = [],
): KeySecretDto[] {
  return [null, ...formerEnds].flatMap((expires_at, nth) => {
    if (nth > 0 && !isToCome(expires_at)) return [];
    const { at = null, from = null } = uses[nth] ?? {};
    return [{ kind, expires_at, last_used_at: at, last_used_from: from }];
  });
}

function failingOf(standing: KeyStanding | undefined): WebhookFailingDto | null {
  if (!standing?.failures || !standing.failingSince || !standing.offAt) return null;
  const { failures, failingSince, offAt } = standing;
  return { failures, since: failingSince, off_at: offAt };
}

/** What people change of a key, for the audit log. */
export function auditedView(key: ApiKeyEntity, webhook: EndpointEntity): object {
  const {
    last_used_at: _,
    last_used_address: __,
    updated_at: ___,
    secrets: ____,
    ...rest
  } = apiKeyView(key, webhook, undefined);
  return rest;
}
