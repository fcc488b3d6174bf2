import { Injectable } from '@nestjs/common';
import { hash, type Options, verify } from '@node-rs/argon2';
import type { EntityManager } from 'typeorm';
import { unavailable } from '../../errors/app-error.js';
import { endResetLink } from '../reset-links.js';
import { UserEntity } from '../user.entity.js';

/** argon2id, the library's default algorithm, with the cost that OWASP's ASVS asks for. */
const hashOptions: Options = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };

/** Each hash takes 46 MiB and a core; more at once would help an attacker to overload the process. */
const concurrentMax = 2;

/** Some seconds of waiting; a request that would wait longer is refused at once. */
const waitingMax = 200;

/** Shortest and longest new password, in characters. */
export const passwordLength = { min: 12, max: 128 };

/**
 * Hashes and checks passwords, at most two at a time; further ones wait for their turn.
 * All of it throws AppError SERVICE_UNAVAILABLE when too many wait.
 */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly queue: (() => void)[] = [];
  private dummy: Promise<string> | null = null;

  /** @returns argon2's own encoded form, which holds salt and cost. */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, hashOptions));
  }

  /**
   * @param passwordHash null for an unknown user: the check takes as long as for a wrong password, so
   * the response time does not reveal who has an account.
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    this.dummy ??= this.hash('nobody has this password');
    const stored = passwordHash ?? (await this.dummy);
    const isRight = await this.inTurn(() => verify(stored, password));
    return isRight && passwordHash !== null;
  }

  /** Stores a new password's hash inside the transaction of the change, and ends the user's link to set one. */
  async store(manager: EntityManager, userId: string, passwordHash: string): Promise<void> {
    await manager.update(UserEntity, { id: userId }, { passwordHash });
    await endResetLink(manager, userId);
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.queue.length >= waitingMax) {
      throw unavailable('too_many_sign_ins', 'Too many passwords are being checked; try again.');
    }
    if (this.running >= concurrentMax) {
      await new Promise<void>((resolve) => this.queue.push(resolve));
    } else this.running += 1;
    try {
      return await work();
    } finally {
      // The place passes to the next in line, so later requests cannot overtake it.
      const next = this.queue.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
