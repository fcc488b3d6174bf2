import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { skewMaxSeconds } from './request-signature.js';

/** Twice the window: a request is remembered for as long as its time-stamp could still pass. */
const rememberSeconds = 2 * skewMaxSeconds;

/** `unborn`: the store has no birth mark, so that it is new or was emptied. */
type Marking = 'marked' | 'refused' | 'unborn';

/**
 * Remembers signed requests, so that a recorded one cannot be sent again.
 *
 * A store that was emptied has forgotten which requests were used. It carries a birth mark, which is lost with the
 * marks; whatever was stamped before a birth is refused. The birth mark of a store that never held a mark is as old as
 * time: PostgreSQL knows whether the installation has ever used a signature up.
 */
export abstract class ReplayMarks {
  /** This process has noted that signatures are used up. */
  private isNoted = false;

  constructor(
    protected readonly dataSource: DataSource,
    protected readonly logger: Logger,
  ) {}

  /**
   * Marks a signed request as used.
   * @param fingerprint what was signed, in 32 bytes; the column is called `signature`.
   * @returns false when it was used before, or when it can no longer be known whether it was.
   * @throws when the store cannot be reached; the request must be refused then.
   */
  async mark(apiKeyId: string, fingerprint: Buffer, timestamp: number): Promise<boolean> {
    if (!this.isNoted) {
      await this.ensureBirth();
      await this.dataSource.query(
        `insert into installation_facts (name) values ('signatures_used') on conflict do nothing`,
      );
      this.isNoted = true;
    }
    const marking = await this.tryToMark(apiKeyId, fingerprint, timestamp);
    if (marking !== 'unborn') return marking === 'marked';
    await this.ensureBirth();
    return (await this.tryToMark(apiKeyId, fingerprint, timestamp)) === 'marked';
  }

  /**
   * Makes the store ready for signatures that are made from now on, where it can be reached. Never rejects.
   *
   * Time-stamps have whole seconds: what is signed in the second of a birth looks older than it. A process that finds
   * the marks lost lets that second pass before it listens.
   */
  async open(): Promise<void> {
    if (await this.hasLostMarks()) await delay(1_000 - (Date.now() % 1_000));
  }

  abstract close(): Promise<void>;

  protected abstract tryToMark(
    apiKeyId: string,
    fingerprint: Buffer,
    timestamp: number,
  ): Promise<Marking>;

  /**
   * Gives the store a birth mark unless it has one: of now where marks were lost, else older than any signature.
   * @returns whether it had none.
   */
  protected abstract giveBirth(isLoss: boolean): Promise<boolean>;

  /** Ensures that there is a birth mark, and returns whether it was lost. Never rejects. */
  protected async hasLostMarks(): Promise<boolean> {
    try {
      return await this.ensureBirth();
    } catch (error) {
      this.logger.warn({ err: error }, 'the birth mark of replay marks was not set');
      return false;
    }
  }

  private async ensureBirth(): Promise<boolean> {
    const facts: unknown[] = await this.dataSource.query(
      `select 1 from installation_facts where name = 'signatures_used'`,
    );
    const isLoss = facts.length > 0;
    return (await this.giveBirth(isLoss)) && isLoss;
  }
}

/** The row of `replay_marks` that is the birth mark. */
const birthRow = `'00000000-0000-0000-0000-000000000000', ''::bytea`;

/** Replay marks in a logged table: they survive a crash of PostgreSQL. */
export class PostgresReplayMarks extends ReplayMarks {
  async close(): Promise<void> {}

  protected async tryToMark(
    apiKeyId: string,
    fingerprint: Buffer,
    timestamp: number,
  ): Promise<Marking> {
    const [row]: { is_born: boolean; is_marked: boolean }[] = await this.dataSource.query(
      `with birth as (
         select born_at from replay_marks where (api_key_id, signature) = (${birthRow})
       ), marked as (
         insert into replay_marks (api_key_id, signature, expires_at)
         select $1, $2, now() + make_interval(secs => $3::int) from birth
         where to_timestamp($4) >= born_at
         on conflict do nothing returning 1
       )
       select exists (select from birth) as is_born, exists (select from marked) as is_marked`,
      [apiKeyId, fingerprint, rememberSeconds, timestamp],
    );
    if (!row?.is_born) return 'unborn';
    return row.is_marked ? 'marked' : 'refused';
  }

  protected async giveBirth(isLoss: boolean): Promise<boolean> {
    const born: unknown[] = await this.dataSource.query(
      `insert into replay_marks (api_key_id, signature, expires_at, born_at)
       values (${birthRow}, 'infinity', case when $1 then clock_timestamp() else '-infinity' end)
       on conflict do nothing returning 1`,
      [isLoss],
    );
    return born.length > 0;
  }
}

/** KEYS: the birth mark, the request. ARGV: time-stamp in seconds, seconds to remember. */
const markScript = `
  local birth = redis.call('GET', KEYS[1])
  if not birth then return 'unborn' end
  if tonumber(ARGV[1]) < tonumber(birth) then return 'refused' end
  return redis.call('SET', KEYS[2], 1, 'NX', 'EX', ARGV[2]) and 'marked' or 'refused'`;

/** KEYS: the birth mark. ARGV: 1 where marks were lost. */
const birthScript = `
  local time = redis.call('TIME')
  local birth = ARGV[1] == '1' and time[1] .. '.' .. string.format('%06d', time[2]) or '0'
  return redis.call('SET', KEYS[1], birth, 'NX') and 1 or 0`;

const birthKey = 'parley:replay:birth';

/** Replay marks in Redis. */
export class RedisReplayMarks extends ReplayMarks {
  private loss = Promise.resolve(false);

  /** @param redis which gets its birth mark with each connection: better then than at a signed request. */
  constructor(
    private readonly redis: Redis,
    dataSource: DataSource,
    logger: Logger,
  ) {
    super(dataSource, logger);
    redis.on('ready', () => {
      this.loss = super.hasLostMarks();
    });
  }

  override async open(): Promise<void> {
    if (this.redis.status !== 'ready') {
      await new Promise<void>((settled) => {
        for (const event of ['ready', 'close']) this.redis.once(event, () => settled());
      });
    }
    await super.open();
  }

  /** What the last connection found counts as well. */
  protected override async hasLostMarks(): Promise<boolean> {
    const wasLost = await this.loss;
    return (await super.hasLostMarks()) || wasLost;
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }

  protected async tryToMark(
    apiKeyId: string,
    fingerprint: Buffer,
    timestamp: number,
  ): Promise<Marking> {
    const key = `parley:replay:${apiKeyId}:${fingerprint.toString('base64url')}`;
    const values = [birthKey, key, timestamp, rememberSeconds];
    return (await this.redis.eval(markScript, 2, ...values)) as Marking;
  }

  protected async giveBirth(isLoss: boolean): Promise<boolean> {
    return (await this.redis.eval(birthScript, 1, birthKey, isLoss ? 1 : 0)) === 1;
  }
}
