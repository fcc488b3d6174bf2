import { newApiKeyLimits } from '../api/limits/new-api-key.ts';
import type { ApiKey, Mode, NewApiKey, Permission, WebhookEvent } from '../api/types.ts';
import { found, lengthFault, numberFault } from '../parts/limit-faults.ts';
import { addressFault } from './address-fault.ts';

/** A key as the form holds it. */
export interface KeyDraft {
  name: string;
  description: string;
  mode: Mode;
  permissions: Permission[];
  perMinute: number | string;
  perDay: number | string;
  /** ISO 8601 or null for never. */
  expiresAt: string | null;
  addresses: string[];
  requireSignature: boolean;
  active: boolean;
  webhookUrl: string;
  events: WebhookEvent[];
  eventFeed: boolean;
  graphAccess: boolean;
}

export type DraftFaults = Partial<Record<keyof KeyDraft, string>>;

export const newDraft: KeyDraft = {
  name: '',
  description: '',
  mode: 'live',
  permissions: ['send_text'],
  perMinute: 60,
  perDay: 10_000,
  expiresAt: null,
  addresses: [],
  requireSignature: false,
  active: true,
  webhookUrl: '',
  events: ['message.received', 'message.status'],
  eventFeed: false,
  graphAccess: false,
};

/** A key that can send the first message of a number, which is a template. */
export const goLiveDraft: KeyDraft = { ...newDraft, permissions: ['send_text', 'send_template'] };

export const draftOf = (key: ApiKey): KeyDraft => ({
  name: key.name,
  description: key.description ?? '',
  mode: key.mode,
  permissions: key.permissions,
  perMinute: key.rate_limit_per_minute,
  perDay: key.daily_limit,
  expiresAt: key.expires_at,
  addresses: key.allowed_ips,
  requireSignature: key.require_signature,
  active: key.active,
  webhookUrl: key.webhook.url ?? '',
  events: key.webhook.events,
  eventFeed: key.event_feed,
  graphAccess: key.graph_access,
});

export const isWebhookUrl = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** What is wrong with the draft, by field. */
export function faultsOf(draft: KeyDraft): DraftFaults {
  const limits = newApiKeyLimits;
  const faults: DraftFaults = found({
    name: draft.name.trim() === '' ? 'A key needs a name.' : lengthFault(draft.name, limits.name),
    description: lengthFault(draft.description, limits.description),
    perMinute: numberFault(draft.perMinute, limits.rate_limit_per_minute),
    perDay: numberFault(draft.perDay, limits.daily_limit),
  });
  if (draft.permissions.length === 0) faults.permissions = 'Choose at least one.';
  if (draft.expiresAt !== null && Date.parse(draft.expiresAt) <= Date.now()) {
    faults.expiresAt = 'Choose a time in the future.';
  }
  const wrong = draft.addresses.map(addressFault).find((fault) => fault !== null);
  if (wrong) faults.addresses = wrong;
  else if (draft.addresses.length > limits.allowed_ips.maxItems) {
    faults.addresses = `At most ${limits.allowed_ips.maxItems} addresses; you have ${draft.addresses.length}.`;
  }
  const url = draft.webhookUrl.trim();
  if (url !== '' && !isWebhookUrl(url)) {
    faults.webhookUrl = 'An address that begins with https:// or http://.';
  }
  if (url !== '' && draft.events.length === 0) faults.events = 'Choose at least one event.';
  if (draft.graphAccess && draft.requireSignature) {
    faults.graphAccess = 'Not together with required signatures: such programs sign nothing.';
  }
  return faults;
}

const numberOrDefault = (value: number | string) => (value === '' ? null : Number(value));

/** The body that makes the key. */
export const bodyOf = (draft: KeyDraft): NewApiKey => ({
  name: draft.name.trim(),
  description: draft.description.trim() || null,
  mode: draft.mode,
  permissions: draft.permissions,
  rate_limit_per_minute: numberOrDefault(draft.perMinute),
  daily_limit: numberOrDefault(draft.perDay),
  expires_at: draft.expiresAt,
  allowed_ips: draft.addresses,
  require_signature: draft.requireSignature,
  active: draft.active,
  webhook_url: draft.webhookUrl.trim() || null,
  webhook_events: draft.events.length > 0 ? draft.events : null,
  event_feed: draft.eventFeed,
  graph_access: draft.graphAccess,
});

/** Which field of the form a refusal of the API is about. */
export const fieldNames: Readonly<Record<string, keyof KeyDraft>> = {
  name: 'name',
  description: 'description',
  permissions: 'permissions',
  rate_limit_per_minute: 'perMinute',
  daily_limit: 'perDay',
  expires_at: 'expiresAt',
  allowed_ips: 'addresses',
  webhook_url: 'webhookUrl',
  webhook_events: 'events',
  event_feed: 'eventFeed',
  graph_access: 'graphAccess',
  require_signature: 'requireSignature',
};
