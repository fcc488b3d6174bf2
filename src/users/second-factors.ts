import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../errors/app-error.js';
import { SecretBox } from '../secrets/secret-box.js';
import { digestOf } from './sessions.js';
import { bareRecoveryCode, findTotpStep, newRecoveryCodes, newTotpSecret } from './totp.js';

/** Second factors of users: one-time codes of an authenticator, and recovery codes for when it is lost. */
@Injectable()
export class SecondFactors {
  constructor(private readonly secrets: SecretBox) {}

  /**
   * Gives the user a secret, which counts once a code confirms it; one that was not confirmed is replaced.
   * @returns the secret in base32.
   * @throws AppError CONFLICT when the second factor is on.
   */
  async begin(manager: EntityManager, userId: string): Promise<string> {
    const secret = newTotpSecret();
    const [, changed]: [unknown, number] = await manager.query(
      `update users set totp_secret = $2, totp_used_step = null
       where id = $1 and totp_confirmed_at is null`,
      [userId, this.secrets.seal(secret, placeOf(userId))],
    );
    if (changed === 0) {
      throw new AppError('CONFLICT', {
        message: 'Your second factor is on; remove it before you set up another one.',
      });
    }
    return secret;
  }

  /**
   * Switches the second factor on.
   * @returns the recovery codes, which nobody can read again; null when the code is wrong.
   * @throws AppError CONFLICT when nothing waits for a code.
   */
  async confirm(manager: EntityManager, userId: string, code: string): Promise<string[] | null> {
    const [pending]: { totp_secret: string }[] = await manager.query(
      `select totp_secret from users
       where id = $1 and totp_secret is not null and totp_confirmed_at is null for update`,
      [userId],
    );
    if (!pending) {
      throw new AppError('CONFLICT', { message: 'There is no second factor to confirm.' });
    }
    const step = this.findStep(userId, pending.totp_secret, code);
    if (step === null) return null;
    await manager.query(
      'update users set totp_confirmed_at = now(), totp_used_step = $2 where id = $1',
      [userId, step],
    );
    const codes = newRecoveryCodes();
    await manager.query('delete from recovery_codes where user_id = $1', [userId]);
    await manager.query(
      'insert into recovery_codes (user_id, digest) select $1, unnest($2::bytea[])',
      [userId, codes.map(digestOfCode)],
    );
    return codes;
  }

  /** Whether a code is right; it and those before it are used up then. */
  async takeCode(manager: EntityManager, userId: string, code: string): Promise<boolean> {
    const [factor]: { totp_secret: string | null }[] = await manager.query(
      'select totp_secret from users where id = $1 and totp_confirmed_at is not null for update',
      [userId],
    );
    if (!factor?.totp_secret) return false;
    const step = this.findStep(userId, factor.totp_secret, code);
    if (step === null) return false;
    const [, taken]: [unknown, number] = await manager.query(
      `update users set totp_used_step = $2
       where id = $1 and (totp_used_step is null or totp_used_step < $2)`,
      [userId, step],
    );
    return taken === 1;
  }

  /** Uses up a recovery code. @returns how many are left; null when it is not one of them. */
  async takeRecoveryCode(
    manager: EntityManager,
    userId: string,
    code: string,
  ): Promise<number | null> {
    const [, taken]: [unknown, number] = await manager.query(
      'delete from recovery_codes where user_id = $1 and digest = $2',
      [userId, digestOfCode(code)],
    );
    if (taken === 0) return null;
    const [left]: { count: number }[] = await manager.query(
      'select count(*)::int from recovery_codes where user_id = $1',
      [userId],
    );
    return left?.count ?? 0;
  }

  /** Switches the second factor off. @throws AppError CONFLICT when it is not on. */
  async remove(manager: EntityManager, userId: string): Promise<void> {
    const isRemoved = await clearSecondFactor(manager, userId);
    if (!isRemoved) throw new AppError('CONFLICT', { message: 'There is no second factor.' });
  }

  private findStep(userId: string, sealed: string, code: string): number | null {
    return findTotpStep(this.secrets.open(sealed, placeOf(userId)), code);
  }
}

/** Takes a second factor away, with its recovery codes. @returns whether it was on. */
export async function clearSecondFactor(manager: EntityManager, userId: string): Promise<boolean> {
  const [, removed]: [unknown, number] = await manager.query(
    `update users set totp_secret = null, totp_confirmed_at = null, totp_used_step = null
     where id = $1 and totp_confirmed_at is not null`,
    [userId],
  );
  await manager.query('delete from recovery_codes where user_id = $1', [userId]);
  return removed === 1;
}

/** What the sealed secret is bound to. */
const placeOf = (userId: string) => `users.totp_secret.${userId}`;

const digestOfCode = (code: string) => digestOf(bareRecoveryCode(code));
