import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { Mode } from '../access/mode.js';

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

/** Whose events an endpoint gets: those of its key, or of every key of the account and mode. */
export type EndpointScope = 'key' | 'account';

/** Attempts at one endpoint at once, if it names no other number. */
export const defaultMaxInFlight = 64;

/** The name of the endpoint that `webhook_url` of a key sets. Its id is that of the key. */
export const defaultEndpointName = 'default';

/** Where events go. */
@Entity('webhook_endpoints')
export class EndpointEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  apiKeyId: string;

  @Column('uuid')
  accountId: string;

  @Column('text')
  mode: Mode;

  @Column('text')
  name: string;

  /** Null: nowhere. */
  @Column('text', { nullable: true })
  url: string | null;

  /** Null: the default ones. */
  @Column('text', { array: true, nullable: true })
  events: WebhookEvent[] | null;

  /** Which statuses of messages it wants; null: all. */
  @Column('text', { array: true, nullable: true })
  statuses: string[] | null;

  /** Which types of received messages it wants; null: all. */
  @Column('text', { array: true, nullable: true })
  messageTypes: string[] | null;

  @Column('text')
  scope: EndpointScope;

  @Column('int')
  maxInFlight: number;

  /** Sealed; the place is `webhook_endpoints.secret.<id>`. */
  @Column('text')
  secret: string;

  @Column('text', { nullable: true })
  previousSecret: string | null;

  @Column('timestamptz', { nullable: true })
  previousExpiresAt: Date | null;

  @Column('text', { nullable: true })
  olderSecret: string | null;

  @Column('timestamptz', { nullable: true })
  olderExpiresAt: Date | null;

  @Column('timestamptz', { nullable: true })
  disabledAt: Date | null;

  /** `gone`: it answered 410; `failing`: no attempt succeeded for 120 hours. */
  @Column('text', { nullable: true })
  disabledReason: string | null;

  @Column('timestamptz', { nullable: true })
  deletedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
