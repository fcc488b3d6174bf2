import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { Mode } from '../access/mode.js';
import type { WebhookEvent } from '../events/event-types.js';

/** Whose events an endpoint gets: those of its key, or of every key of the account and mode. */
export type EndpointScope = 'key' | 'account';

/**
 * What an endpoint gets: events of Parley, or what WhatsApp notifies of in WhatsApp's own form. An endpoint of format
 * `whatsapp` has no events (`{}`), so that nothing that looks for who hears of an event finds it.
 */
export type EndpointFormat = 'parley' | 'whatsapp';

/** What came of asking an endpoint for its challenge; see `EndpointHandshakes`. */
export type HandshakeState = 'not_done' | 'answered' | 'refused' | 'failed';

/** The name of the endpoint that `webhook_url` of a key sets. Its id is that of the key. */
export const defaultEndpointName = 'default';

/** What people call an endpoint: the one that the settings of a key make has no name of its own. */
export const endpointWords = (name: string, keyName: string): string =>
  `${name === defaultEndpointName ? 'The webhook' : `The endpoint “${name}”`} of the API key “${keyName}”`;

/** Whether it is the one that `webhook_url` of its key sets. */
export const isDefaultEndpoint = ({ id, apiKeyId }: Pick<EndpointEntity, 'id' | 'apiKeyId'>) =>
  id === apiKeyId;

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

  @Column('text')
  format: EndpointFormat;

  /** Of format `whatsapp`: the fields of WhatsApp that it wants; null: all. */
  @Column('text', { array: true, nullable: true })
  fields: string[] | null;

  /** Of format `whatsapp`, sealed; the place is `webhook_endpoints.verify_token.<id>`. Null: no handshake. */
  @Column('text', { nullable: true })
  verifyToken: string | null;

  @Column('text')
  handshakeState: HandshakeState;

  @Column('timestamptz', { nullable: true })
  handshakeAt: Date | null;

  /** How many deliveries were left out because they are too large. */
  @Column('int')
  leftOut: number;

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
