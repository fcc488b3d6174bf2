import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An action of a user. Entries can only be added; PostgreSQL refuses anything else. */
@Entity('audit_log')
export class AuditEntryEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column({ type: 'timestamptz', insert: false })
  at: Date;

  /** The account that it concerns; null for the installation. */
  @Column('uuid', { nullable: true })
  accountId: string | null;

  @Column('uuid', { nullable: true })
  userId: string | null;

  /** The user's email address at that time, or the name of what acted. */
  @Column('text')
  actor: string;

  @Column('text', { nullable: true })
  address: string | null;

  /** Subject and past participle: `api_key.revoked`. */
  @Column('text')
  action: string;

  @Column('text')
  subjectType: string;

  @Column('uuid', { nullable: true })
  subjectId: string | null;

  @Column('text', { nullable: true })
  subjectName: string | null;

  /** What changed, without secrets. */
  @Column('jsonb')
  details: object;
}
