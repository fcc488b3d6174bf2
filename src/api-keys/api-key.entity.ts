import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { Mode } from '../access/mode.js';
import type { Permission } from '../access/permissions.js';

/** An API key. The key itself is not stored, only its keyed digest. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  accountId: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  mode: Mode;

  @Column('bytea')
  digest: Buffer;

  /** Prefix and the first and last four characters of the random part. */
  @Column('text')
  display: string;

  /** A digest from before a rotation, valid until `previousExpiresAt`. */
  @Column('bytea', { nullable: true })
  previousDigest: Buffer | null;

  @Column('timestamptz', { nullable: true })
  previousExpiresAt: Date | null;

  /** The one before, while the overlap that it was promised lasts; the same for the secrets below. */
  @Column('bytea', { nullable: true })
  olderDigest: Buffer | null;

  @Column('timestamptz', { nullable: true })
  olderExpiresAt: Date | null;

  @Column('text', { array: true })
  permissions: Permission[];

  @Column('int')
  rateLimitPerMinute: number;

  @Column('int')
  dailyLimit: number;

  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  /** Addresses or CIDR ranges; empty means any. */
  @Column('text', { array: true })
  allowedIps: string[];

  @Column('boolean')
  active: boolean;

  /** Whether its events are kept for it to read. */
  @Column('boolean')
  eventFeed: boolean;

  /** Whether it may speak to the routes in the form of WhatsApp's own API. */
  @Column('boolean')
  graphAccess: boolean;

  @Column('timestamptz', { nullable: true })
  revokedAt: Date | null;

  @Column('timestamptz', { nullable: true })
  suspendedAt: Date | null;

  @Column('text', { nullable: true })
  suspendedReason: string | null;

  @Column('boolean')
  requireSignature: boolean;

  /** Sealed; the place is `api_keys.signing_secret.<id>`. */
  @Column('text')
  signingSecret: string;

  @Column('text', { nullable: true })
  previousSigningSecret: string | null;

  @Column('timestamptz', { nullable: true })
  previousSigningExpiresAt: Date | null;

  @Column('text', { nullable: true })
  olderSigningSecret: string | null;

  @Column('timestamptz', { nullable: true })
  olderSigningExpiresAt: Date | null;

  /** Until when the bodies of its requests are kept, redacted; null or past: they are not. */
  @Column('timestamptz', { nullable: true })
  bodiesKeptUntil: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
