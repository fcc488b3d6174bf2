import type { DataSourceOptions } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity.js';
import { ApiKeyEntity } from '../api-keys/api-key.entity.js';
import { AuditEntryEntity } from '../audit/audit-entry.entity.js';
import { TemplateEntity } from '../templates/template.entity.js';
import { TemplateMappingEntity } from '../templates/template-mapping.entity.js';
import { SessionEntity } from '../users/session.entity.js';
import { UserEntity } from '../users/user.entity.js';
import { SnakeCaseNaming } from './naming-strategy.js';
import { SteadyClient } from './steady-client.js';

/** Connections that one process keeps; statements are grouped, so few carry much. */
const poolSize = 12;

/** What holds for every connection of ours. */
export const poolOptions = {
  Client: SteadyClient,
  // A dead server must become an error, not a wait: callers are waiting for an answer.
  connectionTimeoutMillis: 2_000,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
  // The server gives up first: its word is certain, ours leaves a statement behind that may commit.
  statement_timeout: 10_000,
  query_timeout: 15_000,
  idle_in_transaction_session_timeout: 15_000,
};

/** How every process and the migration command connect. */
export function dataSourceOptions(url: string) {
  return {
    type: 'postgres',
    url,
    entities: [
      AccountEntity,
      ApiKeyEntity,
      AuditEntryEntity,
      SessionEntity,
      UserEntity,
      TemplateEntity,
      TemplateMappingEntity,
    ],
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    extra: { ...poolOptions, max: poolSize, application_name: 'parley' },
  } satisfies DataSourceOptions;
}
