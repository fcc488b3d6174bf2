import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Row } from '../database/statements/statement.js';
import * as sql from './sessions.statements.js';

/** A session ends after this long, however much it is used. */
export const sessionHours = 12;

/** A session as a request finds it. */
export type FoundSession = Readonly<Row<typeof sql.useSession>> & { readonly digest: Buffer };

/** Where a sign-in comes from. */
export interface SignInPlace {
  readonly address: string;
  readonly userAgent: string | null;
}

/** A session as its user sees it. */
type ListedSession = Row<typeof sql.listSessions>;

const userAgentMaxLength = 300;

/** Sessions of the dashboard: opaque ids of 256 bits, kept as digests. */
@Injectable()
export class Sessions {
  constructor(private readonly dataSource: DataSource) {}

  /** Begins a session of a user who has just signed in. @returns the id, which only the cookie holds. */
  async signIn(manager: EntityManager, userId: string, place: SignInPlace): Promise<string> {
    await sql.noteSignIn.run(manager, { userId });
    return this.begin(manager, userId, place);
  }

  /** @returns the id, which only the cookie holds. */
  async begin(manager: EntityManager, userId: string, place: SignInPlace): Promise<string> {
    const id = randomBytes(32).toString('base64url');
    await sql.forgetEndedSessions.run(manager);
    await sql.addSession.run(manager, {
      digest: digestOf(id),
      userId,
      hours: sessionHours,
      ...place,
      userAgentMaxLength,
    });
    return id;
  }

  /** The session of a cookie with its user as of now, or null if it is over or the user is switched off. */
  async findSession(id: string): Promise<FoundSession | null> {
    const digest = digestOf(id);
    const row = await sql.useSession.row(this.dataSource, { digest });
    return row && { ...row, digest };
  }

  /**
   * The sessions of a user that go on, the last used first.
   * @param current the session that asks.
   */
  async list(userId: string, current: Buffer): Promise<ListedSession[]> {
    await sql.nameOldSessions.run(this.dataSource, { userId });
    return sql.listSessions.rows(this.dataSource, { userId, current });
  }

  /** Ends one session of a user, by the name that lists give it. @returns whether there was one. */
  async endOneOf(manager: EntityManager, userId: string, id: string): Promise<boolean> {
    return (await sql.endSessionById.changed(manager, { userId, id })) === 1;
  }

  /** Ends all sessions of a user but one. @returns how many ended. */
  endOthersOf(manager: EntityManager, userId: string, kept: Buffer): Promise<number> {
    return sql.endOtherSessions.changed(manager, { userId, kept });
  }

  async end(manager: EntityManager, digest: Buffer): Promise<void> {
    await sql.endSession.run(manager, { digest });
  }

  /** Signs a user out everywhere. @returns how many sessions ended. */
  endAllOf(manager: EntityManager, userId: string): Promise<number> {
    return sql.endSessionsOfUser.changed(manager, { userId });
  }
}

/** The form under which a session is stored. */
export function digestOf(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}
