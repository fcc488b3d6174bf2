import type { EntityManager } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { ConfigError } from '../config/config.js';
import { makeResetLink } from './reset-links.js';
import { clearSecondFactor } from './second-factors.js';
import { endSessionsOfUser } from './sessions.statements.js';
import { UserEntity } from './user.entity.js';

const actor = { userId: null, name: 'npm run reset-operator', address: null };

/** An operator who can get in again. */
export interface ResetOperator {
  readonly email: string;
  /** Of the link to a new password. */
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Lets an operator in who has lost the password, the authenticator or both: makes a link to a new password, removes the
 * second factor, ends their sessions and switches them on.
 * @param email whose; null: the only operator's.
 * @throws ConfigError when there is no such operator, or several and none is named.
 */
export async function resetOperator(
  manager: EntityManager,
  email: string | null,
): Promise<ResetOperator> {
  const operators = await manager.find(UserEntity, {
    where: { role: 'operator' },
    order: { id: 'asc' },
  });
  const user = choose(operators, email?.toLowerCase() ?? null);
  await manager.update(UserEntity, { id: user.id }, { active: true });
  await endSessionsOfUser.run(manager, { userId: user.id });
  const hadFactor = await clearSecondFactor(manager, user.id);
  const { token, expiresAt } = await makeResetLink(manager, user.id);
  await new AuditLog().record(manager, actor, {
    action: 'user.operator_reset',
    accountId: null,
    subjectId: user.id,
    subjectName: user.email,
    details: {
      ...(hadFactor && { second_factor: 'removed' }),
      ...(!user.active && { active: { from: false, to: true } }),
    },
  });
  return { email: user.email, token, expiresAt };
}

function choose(operators: readonly UserEntity[], email: string | null): UserEntity {
  const [first, ...others] = operators;
  if (!first) {
    throw new ConfigError(
      'There is no operator. Run "npm run migrate" with ADMIN_EMAIL and ADMIN_PASSWORD: it makes the first one.',
    );
  }
  if (email === null && others.length === 0) return first;
  const named = operators.find((operator) => operator.email === email);
  if (named) return named;
  const list = operators.map((operator) => operator.email).join(', ');
  throw new ConfigError(
    email === null
      ? `There are several operators: ${list}. Name one: npm run reset-operator -- ${first.email}`
      : `There is no operator ${email}. These are the operators: ${list}.`,
  );
}
