import type { EntityManager } from 'typeorm';
import type { Mode } from '../../access/mode.js';
import { defaultWebhookEvents, type WebhookEvent } from '../../api-keys/api-key.entity.js';

/** A key that can get events at present. */
export interface KeyInUse {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  /** Whether its webhook wants the event that was asked about. */
  readonly wants: boolean;
}

/** The keys in use of accounts that have a webhook. */
export function keysInUse(
  manager: EntityManager,
  accountIds: readonly string[],
  event: WebhookEvent,
): Promise<KeyInUse[]> {
  return manager.query(
    `select id, account_id as "accountId", mode,
       $2 = any (coalesce(webhook_events, $3::text[])) as wants
     from api_keys
     where account_id = any ($1::uuid[]) and webhook_url is not null and active
       and revoked_at is null and suspended_at is null
       and (expires_at is null or expires_at > now())`,
    [[...new Set(accountIds)], event, defaultWebhookEvents],
  );
}
