import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { skewMaxSeconds } from './request-signature.js';

/** Twice the window: a signature is remembered for as long as its time-stamp could still pass. */
const rememberSeconds = 2 * skewMaxSeconds;

/** Remembers signatures, so that a recorded request cannot be sent again. */
export abstract class ReplayMarks {
  /**
   * Marks a signature as used.
   * @returns false when it was used before, or when nobody can know any more whether it was.
   * @throws when the store cannot be reached; the request must be refused then.
   */
  abstract mark(apiKeyId: string, signature: Buffer, timestamp: number): Promise<boolean>;

  /** Makes the store ready before the first request. */
  abstract begin(): Promise<void>;

  abstract close(): Promise<void>;
}

/** Replay marks in a logged table: they survive a crash of PostgreSQL. */
export class PostgresReplayMarks extends ReplayMarks {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async mark(apiKeyId: string, signature: Buffer): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `insert into replay_marks (api_key_id, signature, expires_at)
       values ($1, $2, now() + make_interval(secs => $3::int))
       on conflict do nothing returning 1`,
      [apiKeyId, signature, rememberSeconds],
    );
    return rows.length > 0;
  }

  async begin(): Promise<void> {}

  async close(): Promise<void> {}
}

/**
 * KEYS: the birth mark, the signature. ARGV: time-stamp in seconds, seconds to remember.
 * A Redis that was emptied has forgotten which signatures were used. Its birth mark is new then, and
 * whatever was stamped before it is refused.
 */
const markScript = `
  local time = redis.call('TIME')
  local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
  redis.call('SET', KEYS[1], string.format('%.6f', now), 'NX')
  if tonumber(ARGV[1]) < tonumber(redis.call('GET', KEYS[1])) then return 0 end
  return redis.call('SET', KEYS[2], 1, 'NX', 'EX', ARGV[2]) and 1 or 0`;

const beginScript = `
  local time = redis.call('TIME')
  return redis.call('SET', KEYS[1], time[1] .. '.' .. string.format('%06d', time[2]), 'NX') and 1 or 0`;

const birthKey = 'parley:replay:birth';

/** Replay marks in Redis. */
export class RedisReplayMarks extends ReplayMarks {
  constructor(private readonly redis: Redis) {
    super();
  }

  async mark(apiKeyId: string, signature: Buffer, timestamp: number): Promise<boolean> {
    const key = `parley:replay:${apiKeyId}:${signature.toString('base64url')}`;
    const marked = await this.redis.eval(markScript, 2, birthKey, key, timestamp, rememberSeconds);
    return marked === 1;
  }

  /** Sets the birth mark, unless there is one: better now than at the first signed request. */
  async begin(): Promise<void> {
    await this.redis.eval(beginScript, 1, birthKey);
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }
}
