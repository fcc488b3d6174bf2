import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { MappedVariables } from '../plan/mapped-variables.js';

/** Which parameters of a template a key's named variables fill. */
@Entity('template_mappings')
export class TemplateMappingEntity {
  @PrimaryColumn('uuid')
  apiKeyId: string;

  @PrimaryColumn('uuid')
  templateId: string;

  @Column('jsonb')
  variables: MappedVariables;

  /** Why it does not fit the template as it is now; null while it does. */
  @Column('text', { nullable: true })
  brokenReason: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
