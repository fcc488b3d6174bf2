import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryColumn,
  UpdateDateColumn,
  VirtualColumn,
} from 'typeorm';

/** Words by which users opt out of messages, and in again. */
export interface AccountKeywords {
  readonly out: readonly string[];
  readonly in: readonly string[];
}

/** A row of `number_health` as JSON. */
export interface StoredHealth {
  /** ISO 8601. */
  readonly read_at: string;
  readonly quality: string | null;
  readonly messaging_limit: string | null;
  readonly name_status: string | null;
  readonly verified_name: string | null;
  readonly token_valid: boolean | null;
  /** ISO 8601. */
  readonly token_expires_at: string | null;
}

/** A tenant: one WhatsApp business account with one number. */
@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  phoneNumberId: string;

  @Column('text')
  businessAccountId: string;

  @Column('text')
  displayPhoneNumber: string;

  /** Sealed; the place is `accounts.access_token.<id>`. */
  @Column('text')
  accessToken: string;

  /** Sealed; the place is `accounts.app_secret.<id>`. */
  @Column('text')
  appSecret: string;

  @Column('boolean')
  active: boolean;

  /** How many messages a second the number may send; null is unlimited. */
  @Column('int', { nullable: true })
  messagesPerSecond: number | null;

  /** The pace it was slowed down to, and when; each minute it regains a tenth of its full pace. */
  @Column('real', { nullable: true })
  learntPerSecond: number | null;

  @Column('timestamptz', { nullable: true })
  learntAt: Date | null;

  /** Raised with every change that a process may have cached. */
  @Column('bigint')
  version: string;

  /** Why nothing is claimed for this number now, or null. */
  @Column('text', { nullable: true })
  holdKind: 'paused' | 'throttled' | null;

  /** The platform's code that led to the hold. */
  @Column('int', { nullable: true })
  holdCode: number | null;

  @Column('text', { nullable: true })
  holdReason: string | null;

  @Column('timestamptz', { nullable: true })
  holdUntil: Date | null;

  /** The words by which users opt out and in; null: none. */
  @Column('jsonb', { nullable: true })
  keywords: AccountKeywords | null;

  /** What these words are about. */
  @Column('text')
  keywordScope: 'marketing' | 'all';

  /** How many keys that are not revoked it may have; null: any. */
  @Column('int', { nullable: true })
  keysMax: number | null;

  /** How many endpoints with an address it may have; null: any. */
  @Column('int', { nullable: true })
  endpointsMax: number | null;

  /** How high the rate limit of each key may be; null: any. */
  @Column('int', { nullable: true })
  ratePerMinuteMax: number | null;

  /** How high the daily limit of each key may be; null: any. */
  @Column('int', { nullable: true })
  dailyLimitMax: number | null;

  /** When token, number and callback first held at one check; null: never yet. */
  @Column('timestamptz', { nullable: true })
  verifiedAt: Date | null;

  /** The platform's latest event on the number's quality. */
  @Column('text', { nullable: true })
  qualityEvent: string | null;

  /** How many people the number may write to first in 24 hours, in the platform's words. */
  @Column('text', { nullable: true })
  qualityLimit: string | null;

  @Column('timestamptz', { nullable: true })
  qualityAt: Date | null;

  /** When the platform's last webhook for the account arrived, to a minute. Read only. */
  @VirtualColumn({
    type: 'timestamptz',
    query: (account) =>
      `(select n.last_at from account_notifications n where n.account_id = ${account}.id and n.mode = 'live')`,
  })
  lastWebhookAt: Date | null;

  /** What the platform last said of the number and the token. Read only. */
  @VirtualColumn({
    type: 'jsonb',
    query: (account) =>
      `(select to_jsonb(h) - 'account_id' from number_health h where h.account_id = ${account}.id)`,
  })
  health: StoredHealth | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
