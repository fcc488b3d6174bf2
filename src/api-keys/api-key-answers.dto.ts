import type { Mode } from '../access/mode.js';
import type { Permission } from '../access/permissions.js';
import type { WebhookEvent } from '../events/event-types.js';

/** Whether a key is let in, and if not, why. */
export type ApiKeyState = 'active' | 'inactive' | 'expired' | 'revoked' | 'suspended';

/** An endpoint that keeps failing. */
export class WebhookFailingDto {
  /** How many attempts have failed since its last success. */
  failures: number;
  /** The first of them. */
  since: Date;
  /** When the endpoint will be switched off unless an attempt succeeds. */
  off_at: Date;
}

/** Where a key's events go. */
export class WebhookDto {
  /** Null: nowhere. */
  url: string | null;
  events: WebhookEvent[];
  /** When Parley switched the endpoint off; null while it is in use. */
  disabled_at: Date | null;
  /** `gone`: it answered 410; `failing`: no attempt succeeded for 120 hours. */
  reason: string | null;
  /** Null while it works, and while it is switched off. */
  failing: WebhookFailingDto | null;
}

/** What a key has that can be rotated; `webhook`: the secret of the webhook that `webhook_url` sets. */
export const secretKinds = ['key', 'signing', 'webhook'] as const;

export type SecretKind = (typeof secretKinds)[number];

/** One value of a key that works at present, without the value. */
export class KeySecretDto {
  kind: SecretKind;
  /** When the overlap of this old value ends; null: it is the present one. */
  expires_at: Date | null;
  /** When a request came with it, a few seconds late. Null for `webhook`: only its receiver knows. */
  last_used_at: Date | null;
  /** The address of that request. */
  last_used_from: string | null;
}

/** An API key, without its secrets. Times are ISO 8601 in UTC. */
export class ApiKeyDto {
  id: string;
  account_id: string;
  name: string;
  description: string | null;
  mode: Mode;
  /** The key's prefix with the first and last four characters of its random part. */
  display: string;
  permissions: Permission[];
  rate_limit_per_minute: number;
  daily_limit: number;
  expires_at: Date | null;
  allowed_ips: string[];
  active: boolean;
  state: ApiKeyState;
  revoked_at: Date | null;
  suspended_at: Date | null;
  suspended_reason: string | null;
  require_signature: boolean;
  webhook: WebhookDto;
  /** Whether its events are kept for `GET /events`. */
  event_feed: boolean;
  /** Whether programs that speak WhatsApp's own API may use it. */
  graph_access: boolean;
  /** Until when the key from before a rotation still works; null if none does. */
  previous_key_expires_at: Date | null;
  /** Its key, signing secret and webhook secret: of each the present one, then up to two old ones that still work. */
  secrets: KeySecretDto[];
  /** Until when the bodies of its requests are kept, redacted, in the request log; null if they are not. */
  bodies_kept_until: Date | null;
  last_used_at: Date | null;
  last_used_address: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The keys that the user may see. */
export class ApiKeysDto {
  api_keys: ApiKeyDto[];
}

/** One key. */
export class ApiKeyAnswerDto {
  api_key: ApiKeyDto;
}

/** A new key with its secrets, which are never shown again. */
export class CreatedApiKeyDto extends ApiKeyAnswerDto {
  /** For the header X-API-Key. */
  key: string;
  /** For signed requests. */
  signing_secret: string;
  /** For verifying the requests to your webhook. */
  webhook_secret: string;
}

/** A key with its new secret, which is never shown again. */
export class RotatedApiKeyDto extends ApiKeyAnswerDto {
  key: string;
}

/** A key with its new signing secret, which is never shown again. */
export class RotatedSigningSecretDto extends ApiKeyAnswerDto {
  signing_secret: string;
}

/** A key with its new webhook secret, which is never shown again. */
export class RotatedWebhookSecretDto extends ApiKeyAnswerDto {
  webhook_secret: string;
}

/** One window of a key's quota. */
export class WindowUsageDto {
  limit: number;
  used: number;
  remaining: number;
  /** The end of the window, in UTC. */
  reset_at: Date;
}

/** Calls of one hour. */
export class HourlyCallsDto {
  /** The beginning of the hour, in UTC. */
  hour: Date;
  calls: number;
  /** How many of the calls were answered with an error. */
  refused: number;
}

/** What a key has used. */
export class ApiKeyUsageDto {
  minute: WindowUsageDto;
  day: WindowUsageDto;
  calls_last_24h: number;
  /** 24 hours, the oldest first; the last one is the current hour. */
  calls_by_hour: HourlyCallsDto[];
  last_used_at: Date | null;
  last_used_address: string | null;
}
