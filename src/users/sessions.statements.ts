import type { Role } from '../access/signed-in-user.js';
import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';

/** A session ends when it has not been used for this long … */
const idleMinutes = 30;

const isInUse = `expires_at > now() and last_seen_at > now() - interval '${idleMinutes} minutes'`;

export const noteSignIn = statement({
  name: 'note-sign-in',
  params: { userId: 'uuid' },
  text: 'update users set last_sign_in_at = now() where id = :userId',
});

export const forgetEndedSessions = statement({
  name: 'forget-ended-sessions',
  text: 'delete from sessions where expires_at < now()',
});

export const addSession = statement({
  name: 'add-session',
  params: {
    digest: 'bytea',
    userId: 'uuid',
    hours: 'int4',
    address: 'text?',
    userAgent: 'text?',
    userAgentMaxLength: 'int4',
  },
  text: `
  insert into sessions (digest, id, user_id, expires_at, address, user_agent)
  values (:digest, gen_random_uuid(), :userId, now() + make_interval(hours => :hours), :address,
    left(:userAgent, :userAgentMaxLength))`,
});

/** The session of a cookie with its user; notes that it is used, at most once a minute. */
export const useSession = statement({
  name: 'use-session',
  params: { digest: 'bytea' },
  columns: {
    userId: 'uuid',
    email: 'text',
    role: as<Role>('text'),
    accountId: 'uuid?',
    hasSecondFactor: 'bool',
  },
  text: `
  with seen as (
    update sessions set last_seen_at = now()
    where digest = :digest and last_seen_at < now() - interval '1 minute' and ${isInUse}
  )
  select s.user_id as "userId", u.email, u.role, u.account_id as "accountId",
    u.totp_confirmed_at is not null as "hasSecondFactor"
  from sessions s join users u on u.id = s.user_id
  where s.digest = :digest and u.active and ${isInUse}`,
});

/** Sessions of before ids had none. */
export const nameOldSessions = statement({
  name: 'name-old-sessions',
  params: { userId: 'uuid' },
  text: 'update sessions set id = gen_random_uuid() where user_id = :userId and id is null',
});

export const listSessions = statement({
  name: 'list-sessions',
  params: { userId: 'uuid', current: 'bytea' },
  columns: {
    id: 'uuid',
    created_at: 'timestamptz',
    last_used_at: 'timestamptz',
    address: 'text?',
    user_agent: 'text?',
    is_current: 'bool',
  },
  text: `
  select id, created_at, last_seen_at as last_used_at, address, user_agent,
    digest = :current as is_current
  from sessions
  where user_id = :userId and ${isInUse}
  order by last_seen_at desc, created_at desc`,
});

export const endSession = statement({
  name: 'end-session',
  params: { digest: 'bytea' },
  text: 'delete from sessions where digest = :digest',
});

export const endSessionById = statement({
  name: 'end-session-by-id',
  params: { userId: 'uuid', id: 'uuid' },
  text: 'delete from sessions where user_id = :userId and id = :id',
});

export const endOtherSessions = statement({
  name: 'end-other-sessions',
  params: { userId: 'uuid', kept: 'bytea' },
  text: 'delete from sessions where user_id = :userId and digest <> :kept',
});

export const endSessionsOfUser = statement({
  name: 'end-sessions-of-user',
  params: { userId: 'uuid' },
  text: 'delete from sessions where user_id = :userId',
});
