/** The events that an endpoint gets if it names none. */
export const defaultWebhookEvents = ['message.received', 'message.status', 'webhook.test'] as const;

/** Every event that an endpoint can get. */
export const webhookEvents = [
  ...defaultWebhookEvents,
  'contact.changed',
  'contact.consent',
  'campaign.status',
  'alert.raised',
  'alert.resolved',
] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

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
  'system',
  'unsupported',
  'unknown',
] as const;

/** Attempts at one endpoint at once, if it names no other number. */
export const defaultMaxInFlight = 64;
