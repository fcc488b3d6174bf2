import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user who is signed in to the dashboard. */
@Entity('sessions')
export class SessionEntity {
  /** SHA-256 of the id in the cookie. */
  @PrimaryColumn('bytea')
  digest: Buffer;

  @Column('uuid')
  userId: string;

  @Column('timestamptz')
  createdAt: Date;

  /** Written at most once a minute. */
  @Column('timestamptz')
  lastSeenAt: Date;

  /** When it ends, even if it is in use. */
  @Column('timestamptz')
  expiresAt: Date;
}
