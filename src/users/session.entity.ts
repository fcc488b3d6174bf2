import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user who is signed in to the dashboard. */
@Entity('sessions')
export class SessionEntity {
  /** SHA-256 of the id in the cookie. */
  @PrimaryColumn('bytea')
  digest: Buffer;

  /** Names the session in lists; null until then where the version before began it. */
  @Column('uuid', { nullable: true })
  id: string | null;

  @Column('uuid')
  userId: string;

  @Column('timestamptz')
  createdAt: Date;

  /** Written at most once a minute. */
  @Column('timestamptz')
  lastSeenAt: Date;

  /** Where it was begun. */
  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { nullable: true })
  userAgent: string | null;

  /** When it ends, even if it is in use. */
  @Column('timestamptz')
  expiresAt: Date;
}
