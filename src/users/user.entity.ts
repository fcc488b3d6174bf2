import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { Role } from '../access/signed-in-user.js';

/** Who may sign in to the dashboard. */
@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  email: string;

  /** argon2id, in its own encoded form; null until the user has set a password under the link of their invitation. */
  @Column('text', { nullable: true })
  passwordHash: string | null;

  @Column('text')
  role: Role;

  /** The account of an administrator or a viewer; null for operators. */
  @Column('uuid', { nullable: true })
  accountId: string | null;

  @Column('boolean')
  active: boolean;

  @Column('timestamptz', { nullable: true })
  lastSignInAt: Date | null;

  /** Since when a sign-in needs a second factor; null: it needs none. */
  @Column('timestamptz', { nullable: true })
  totpConfirmedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
