import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { skewMaxSeconds } from './request-signature.js';

/** Twice the window: a request is remembered for as long as its time-stamp could still pass. */
const rememberSeconds = 2 * skewMaxSeconds;

/** Remembers signed requests, so that a recorded one cannot be sent again. */
export abstract class ReplayMarks {
  /**
   * Marks a signed request as used.
   * @param fingerprint what was signed, in 32 bytes; the column is called `signature`.
   * @returns false when it was used before, or when nobody can know any more whether it was.
   * @throws when the store cannot be reached; the request must be refused then.
   */
  abstract mark(apiKeyId: string, fingerprint: Buffer, timestamp: number): Promise<boolean>;

  /** Makes the store ready for signatures that are made from now on, where it can be reached. Never rejects. */
  async open(): Promise<void> {}

  abstract close(): Promise<void>;
}

/** Replay marks in a logged table: they survive a crash of PostgreSQL. */
export class PostgresReplayMarks extends ReplayMarks {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async mark(apiKeyId: string, fingerprint: Buffer): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `insert into replay_marks (api_key_id, signature, expires_at)
       values ($1, $2, now() + make_interval(secs => $3::int))
       on conflict do nothing returning 1`,
      [apiKeyId, fingerprint, rememberSeconds],
    );
    return rows.length > 0;
  }

  async close(): Promise<void> {}
}

/**
 * KEYS: the birth mark, the request. ARGV: time-stamp in seconds, seconds to remember.
 * A Redis that was emptied has forgotten which requests were used. Its birth mark is new then, and
 * whatever was stamped before it is refused.
 */
const markScript = `
  local time = redis.call('TIME')
  local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
  redis.call('SET', KEYS[1], string.format('%.6f', now), 'NX')
  if tonumber(ARGV[1]) < tonumber(redis.call('GET', KEYS[1])) then return 0 end
  return redis.call('SET', KEYS[2], 1, 'NX', 'EX', ARGV[2]) and 1 or 0`;

const birthScript = `
  local time = redis.call('TIME')
  return redis.call('SET', KEYS[1], time[1] .. '.' .. string.format('%06d', time[2]), 'NX') and 1 or 0`;

const birthKey = 'parley:replay:birth';

/** Replay marks in Redis. */
export class RedisReplayMarks extends ReplayMarks {
  private birth = Promise.resolve(false);

  /** @param redis which gets its birth mark with each connection: better then than at a signed request. */
  constructor(
    private readonly redis: Redis,
    private readonly logger: Logger,
  ) {
    super();
    redis.on('ready', () => {
      this.birth = this.setBirth();
    });
  }

  async mark(apiKeyId: string, fingerprint: Buffer, timestamp: number): Promise<boolean> {
    const key = `parley:replay:${apiKeyId}:${fingerprint.toString('base64url')}`;
    const marked = await this.redis.eval(markScript, 2, birthKey, key, timestamp, rememberSeconds);
    return marked === 1;
  }

  /**
   * Time-stamps have whole seconds: what is signed in the second of the birth looks older than it. A process
   * that gave the birth mark lets that second pass before it listens.
   */
  override async open(): Promise<void> {
    if (this.redis.status !== 'ready') {
      await new Promise<void>((settled) => {
        for (const event of ['ready', 'close']) this.redis.once(event, () => settled());
      });
    }
    if (await this.birth) await delay(1_000 - (Date.now() % 1_000));
  }

  /** @returns whether the birth mark is new; false where there was one, and where Redis did not answer. */
  private async setBirth(): Promise<boolean> {
    try {
      return (await this.redis.eval(birthScript, 1, birthKey)) === 1;
    } catch (error) {
      this.logger.warn({ err: error }, 'the birth mark of replay marks was not set');
      return false;
    }
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }
}
