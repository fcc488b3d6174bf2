import { AccountEntity } from './accounts/account.entity.js';
import { ApiKeyEntity } from './api-keys/api-key.entity.js';
import { AuditEntryEntity } from './audit/audit-entry.entity.js';
import { EndpointEntity } from './endpoints/endpoint.entity.js';
import { TemplateMappingEntity } from './templates/sends/template-mapping.entity.js';
import { TemplateEntity } from './templates/template.entity.js';
import { SessionEntity } from './users/session.entity.js';
import { UserEntity } from './users/user.entity.js';

/** The tables that are read through TypeORM's repositories. */
export const entities = [
  AccountEntity,
  ApiKeyEntity,
  AuditEntryEntity,
  EndpointEntity,
  SessionEntity,
  UserEntity,
  TemplateEntity,
  TemplateMappingEntity,
];
