import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../errors/app-error.js';
import { SecretBox } from '../secrets/secret-box.js';
import * as sql from './second-factors.statements.js';
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
    const changed = await sql.beginSecondFactor.changed(manager, {
      userId,
      secret: this.secrets.seal(secret, placeOf(userId)),
    });
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
    const pending = await sql.lockPendingFactor.row(manager, { userId });
    if (!pending) {
      throw new AppError('CONFLICT', { message: 'There is no second factor to confirm.' });
    }
    const step = this.findStep(userId, pending.totp_secret, code);
    if (step === null) return null;
    await sql.confirmSecondFactor.run(manager, { userId, step });
    const codes = newRecoveryCodes();
    await sql.removeRecoveryCodes.run(manager, { userId });
    await sql.addRecoveryCodes.run(manager, { userId, digests: codes.map(digestOfCode) });
    return codes;
  }

  /** Whether a code is right; it and those before it are used up then. */
  async takeCode(manager: EntityManager, userId: string, code: string): Promise<boolean> {
    const factor = await sql.lockSecondFactor.row(manager, { userId });
    if (!factor?.totp_secret) return false;
    const step = this.findStep(userId, factor.totp_secret, code);
    if (step === null) return false;
    return (await sql.takeTotpStep.changed(manager, { userId, step })) === 1;
  }

  /** Uses up a recovery code. @returns how many are left; null when it is not one of them. */
  async takeRecoveryCode(
    manager: EntityManager,
    userId: string,
    code: string,
  ): Promise<number | null> {
    const digest = digestOfCode(code);
    if ((await sql.takeRecoveryCode.changed(manager, { userId, digest })) === 0) return null;
    return (await sql.countRecoveryCodes.row(manager, { userId }))?.count ?? 0;
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
  const removed = await sql.clearSecondFactor.changed(manager, { userId });
  await sql.removeRecoveryCodes.run(manager, { userId });
  return removed === 1;
}

/** What the sealed secret is bound to. */
const placeOf = (userId: string) => `users.totp_secret.${userId}`;

const digestOfCode = (code: string) => digestOf(bareRecoveryCode(code));
