import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { AttemptCounters } from '../access/attempt-counters.js';
import { AuditLog } from '../audit/audit-log.js';
import { passwordFault } from './passwords/password-strength.js';
import { Passwords } from './passwords/passwords.js';
import { UserPasswords } from './passwords/user-passwords.js';
import { Sessions } from './sessions.js';
import { UserEntity } from './user.entity.js';
import { UsersService } from './users.service.js';

const actor = { userId: null, name: 'npm run migrate', address: null };

/**
 * Makes the first operator of an installation. If there is an operator already, they keep their
 * password.
 * @param given null where the configuration names no password: then the log says what is missing.
 */
export async function ensureFirstOperator(
  dataSource: DataSource,
  given: { readonly email: string; readonly password: string } | null,
  logger: Logger,
): Promise<void> {
  if (await dataSource.getRepository(UserEntity).existsBy({ role: 'operator' })) return;
  if (!given) {
    logger.warn('no user can sign in yet: migrate again with ADMIN_EMAIL and ADMIN_PASSWORD');
    return;
  }
  const fault = passwordFault(given.password, [given.email]);
  if (fault !== null) logger.warn(`ADMIN_PASSWORD ${fault}; change it after the first sign-in`);
  await usersOf(dataSource, new AuditLog()).ensureOperator(given.email, given.password, actor);
  logger.info({ email: given.email }, 'created the first operator');
}

/** The service of a program that has no modules. */
export function usersOf(dataSource: DataSource, audit: AuditLog): UsersService {
  const passwords = new Passwords();
  return new UsersService(
    dataSource,
    passwords,
    new UserPasswords(dataSource, passwords, new AttemptCounters(dataSource)),
    new Sessions(dataSource),
    audit,
  );
}
