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
  readonly hasSecondFactor: boolean;
}

/** Where a sign-in comes from. */
export interface SignInPlace {
  readonly address: string;
  readonly userAgent: string | null;
}

/** A session as its user sees it. */
interface ListedSession {
  readonly id: string;
  readonly created_at: Date;
  readonly last_used_at: Date;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly is_current: boolean;
}

const userAgentMaxLength = 300;

/** Sessions of the dashboard: opaque ids of 256 bits, kept as digests. */
@Injectable()
export class Sessions {
  constructor(private readonly dataSource: DataSource) {}

  /** Begins a session of a user who has just signed in. @returns the id, which only the cookie holds. */
  async signIn(manager: EntityManager, userId: string, place: SignInPlace): Promise<string> {
    await manager.query('update users set last_sign_in_at = now() where id = $1', [userId]);
    return this.begin(manager, userId, place);
  }

  /** @returns the id, which only the cookie holds. */
  async begin(manager: EntityManager, userId: string, place: SignInPlace): Promise<string> {
    const id = randomBytes(32).toString('base64url');
    await manager.query('delete from sessions where expires_at < now()');
    await manager.query(
      `insert into sessions (digest, id, user_id, expires_at, address, user_agent)
       values ($1, gen_random_uuid(), $2, now() + make_interval(hours => $3), $4, left($5, $6))`,
      [digestOf(id), userId, sessionHours, place.address, place.userAgent, userAgentMaxLength],
    );
    return id;
  }

  /** The session of a cookie with its user as of now, or null if it is over or the user is switched off. */
  async findSession(id: string): Promise<FoundSession | null> {
    const digest = digestOf(id);
    const [row]: {
      user_id: string;
      email: string;
      role: Role;
      account_id: string | null;
      has_second_factor: boolean;
    }[] = await this.dataSource.query(
      `with seen as (
         update sessions set last_seen_at = now()
         where digest = $1 and last_seen_at < now() - interval '1 minute'
           and last_seen_at > now() - make_interval(mins => $2) and expires_at > now()
       )
       select s.user_id, u.email, u.role, u.account_id,
         u.totp_confirmed_at is not null as has_second_factor
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
      hasSecondFactor: row.has_second_factor,
    };
  }

  /**
   * The sessions of a user that go on, the last used first.
   * @param current the session that asks.
   */
  async list(userId: string, current: Buffer): Promise<ListedSession[]> {
    await this.dataSource.query(
      'update sessions set id = gen_random_uuid() where user_id = $1 and id is null',
      [userId],
    );
    return this.dataSource.query(
      `select id, created_at, last_seen_at as last_used_at, address, user_agent,
         digest = $2 as is_current
       from sessions
       where user_id = $1 and expires_at > now()
         and last_seen_at > now() - make_interval(mins => $3)
       order by last_seen_at desc, created_at desc`,
      [userId, current, idleMinutes],
    );
  }

  /** Ends one session of a user, by the name that lists give it. @returns whether there was one. */
  async endOneOf(manager: EntityManager, userId: string, id: string): Promise<boolean> {
    const [, ended]: [unknown, number] = await manager.query(
      'delete from sessions where user_id = $1 and id = $2',
      [userId, id],
    );
    return ended === 1;
  }

  /** Ends all sessions of a user but one. @returns how many ended. */
  async endOthersOf(manager: EntityManager, userId: string, kept: Buffer): Promise<number> {
    const [, ended]: [unknown, number] = await manager.query(
      'delete from sessions where user_id = $1 and digest <> $2',
      [userId, kept],
    );
    return ended;
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
