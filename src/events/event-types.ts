import type { Permission } from '../access/permissions.js';

/** The events that an endpoint gets if it names none. */
export const defaultWebhookEvents = ['message.received', 'message.status', 'webhook.test'] as const;

/** Every event that an endpoint can get. */
export const webhookEvents = [
  ...defaultWebhookEvents,
  'message.echo',
  'message.standby',
  'contact.changed',
  'contact.consent',
  'campaign.status',
  'alert.raised',
  'alert.resolved',
] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

/**
 * The permission of its key without which an endpoint does not get an event: the one that reading the same through the API
 * needs. Endpoints named `default`, whose address a person sets, are exempt. Other events need none.
 */
export const eventPermissions: Readonly<Partial<Record<WebhookEvent, Permission>>> = {
  'message.received': 'view_messages',
  'message.echo': 'view_messages',
  'message.standby': 'view_messages',
  'contact.changed': 'manage_contacts',
  'contact.consent': 'manage_contacts',
};

/** Whether a key with some permissions may read an event of this type. */
export function isReadable(event: string, has: (permission: Permission) => boolean): boolean {
  const needed = eventPermissions[event as WebhookEvent];
  return needed === undefined || has(needed);
}

/** Statuses that `message.status` reports, in the order in which it reports them. */
export const toldStatuses = [
  'unconfirmed',
  'sent',
  'delivered',
  'read',
  'failed',
  'cancelled',
] as const;

/** Types of messages that `message.received` reports; `unknown` is one that WhatsApp does not name. */
export const receivedTypes = [
  'text',
  'button',
  'interactive',
  'flow_reply',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'order',
  'edit',
  'revoke',
  'system',
  'unsupported',
  'unknown',
] as const;
