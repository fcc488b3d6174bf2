import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Role } from '../access/signed-in-user.js';

/** A session ends when it has not been used for this long … */
const idleMinutes = 30;

/** … and after this long in any case. */
export const sessionHours = 12;

/** A session as a request finds it. */
export interface FoundSession {
  readonly digest: Buffer;
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly accountId: string | null;
}

/** Sessions of the dashboard: opaque ids of 256 bits, kept as digests. */
@Injectable()
export class Sessions {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns the id, which only the cookie holds. */
  async begin(manager: EntityManager, userId: string): Promise<string> {
    const id = randomBytes(32).toString('base64url');
    await manager.query('delete from sessions where expires_at < now()');
    await manager.query(
      `insert into sessions (digest, user_id, expires_at)
       values ($1, $2, now() + make_interval(hours => $3))`,
      [digestOf(id), userId, sessionHours],
    );
    return id;
  }

  /** The session of a cookie with its user as of now, or null if it is over or the user is switched off. */
  async findSession(id: string): Promise<FoundSession | null> {
    const digest = digestOf(id);
    const [row]: { user_id: string; email: string; role: Role; account_id: string | null }[] =
      await this.dataSource.query(
        `with seen as (
           update sessions set last_seen_at = now()
           where digest = $1 and last_seen_at < now() - interval '1 minute'
             and last_seen_at > now() - make_interval(mins => $2) and expires_at > now()
         )
         select s.user_id, u.email, u.role, u.account_id
         from sessions s join users u on u.id = s.user_id
         where s.digest = $1 and s.expires_at > now() and u.active
           and s.last_seen_at > now() - make_interval(mins => $2)`,
        [digest, idleMinutes],
      );
    if (!row) return null;
    return {
      digest,
      userId: row.user_id,
      email: row.email,
      role: row.role,
      accountId: row.account_id,
    };
  }

  async end(manager: EntityManager, digest: Buffer): Promise<void> {
    await manager.query('delete from sessions where digest = $1', [digest]);
  }

  /** Signs a user out everywhere. @returns how many sessions ended. */
  async endAllOf(manager: EntityManager, userId: string): Promise<number> {
    const [, ended]: [unknown, number] = await manager.query(
      'delete from sessions where user_id = $1',
      [userId],
    );
    return ended;
  }
}

/** The form under which a session is stored. */
export function digestOf(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}
