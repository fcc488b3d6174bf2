import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import type { Mode } from '../access/mode.js';
import { LOGGER } from '../logging/logging.module.js';
import { modesOf } from './routed-event.js';

const everyMs = 60_000;

/** That the platform reported on an account. */
export interface Heard {
  readonly accountId: string;
  /** Null: live and test. */
  readonly mode: Mode | null;
  /** When it happened, by the platform's clock. */
  readonly at: Date;
}

/**
 * Records to the minute when the platform first and last reported on each account, and since when without a gap. A restored
 * database or a promoted standby may have lost reports, so it starts again.
 */
@Injectable()
export class LastNotifications {
  private readonly notedAt = new Map<string, number>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records that the platform has reported on accounts just now. Do not wait for it. */
  note(heard: readonly Heard[]): void {
    const nowMs = performance.now();
    const due = new Map<string, { accountId: string; mode: Mode; at: Date }>();
    for (const { accountId, mode, at } of heard) {
      for (const each of modesOf(mode)) {
        const key = `${accountId} ${each}`;
        const isDue = nowMs - (this.notedAt.get(key) ?? Number.NEGATIVE_INFINITY) > everyMs;
        if (isDue && !due.has(key)) due.set(key, { accountId, mode: each, at });
      }
    }
    if (due.size === 0) return;
    for (const key of due.keys()) this.notedAt.set(key, nowMs);
    this.write([...due.values()]).catch((error: unknown) => {
      for (const key of due.keys()) this.notedAt.delete(key);
      this.logger.debug(
        { err: error },
        'could not record when the last notification of an account arrived',
      );
    });
  }

  private async write(heard: { accountId: string; mode: Mode; at: Date }[]): Promise<void> {
    await this.dataSource.query(
      `insert into account_notifications as n (account_id, mode, first_at, last_at, since, history)
       select account_id, mode, now(), now(), least(at, now()), database_history()
       from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as t (account_id, mode, at)
       order by account_id, mode
       on conflict (account_id, mode) do update set last_at = excluded.last_at,
         first_at = coalesce(n.first_at, n.last_at),
         since = case when n.history = excluded.history then coalesce(n.since, excluded.since)
           else excluded.since end,
         history = excluded.history
       where n.last_at < excluded.last_at - interval '30 seconds' or n.since is null
         or n.history <> excluded.history`,
      [
        heard.map(({ accountId }) => accountId),
        heard.map(({ mode }) => mode),
        heard.map(({ at }) => at),
      ],
    );
  }
}

/** Notes that every account may miss reports: the database is a copy. */
export async function forgetAllHeard(queries: Pick<EntityManager, 'query'>): Promise<void> {
  await queries.query('update account_notifications set since = null');
}

/** Notes that an account may miss reports: the time since when it has had all of them is no longer known. */
export async function forgetHeard(dataSource: DataSource, accountId: string): Promise<void> {
  await dataSource.query(
    `update account_notifications set since = null where account_id = $1 and mode = 'live'`,
    [accountId],
  );
}
