import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { TemplateDefinitionComponent } from '#libs/whatsapp';
import type { Mode } from '../access/mode.js';

/** One language of one template, as the platform last reported it. */
@Entity('templates')
export class TemplateEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  accountId: string;

  /** Live templates are the platform's, test templates the simulator's. */
  @Column('text')
  mode: Mode;

  @Column('text')
  name: string;

  @Column('text')
  language: string;

  /** The platform's id of this language; null where it gave none. */
  @Column('text', { nullable: true })
  platformId: string | null;

  @Column('text')
  category: string;

  /** The platform's status; only `APPROVED` can be sent. */
  @Column('text')
  status: string;

  @Column('text')
  parameterFormat: 'POSITIONAL' | 'NAMED';

  @Column('jsonb')
  components: TemplateDefinitionComponent[];

  @Column('text', { nullable: true })
  qualityScore: string | null;

  @Column('text', { nullable: true })
  rejectedReason: string | null;

  /** When it was first found missing at the platform. */
  @Column('timestamptz', { nullable: true })
  deletedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  /** The last change that the platform made to it. */
  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
