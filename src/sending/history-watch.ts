import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { raiseAlert } from '../alerts/alerts.js';
import { declareLoss, noteHistory, noteReplication } from '../database/history/database-history.js';
import { DatabaseTimeline, timelineSql } from '../database/history/database-timeline.js';
import { LOGGER } from '../logging/logging.module.js';

/**
 * Nothing is claimed from a promoted standby for this long, unless commits waited for it: workers that still have
 * to notice get time to say that it has forgotten a claim of theirs. Longer than a statement may take.
 */
const testimonySeconds = 20;

/** What a worker knows of messages that it has claimed. */
export interface Testimony {
  /** Messages that it has in hand, with the number of the try. */
  readonly inHand: ReadonlyMap<string, number>;
  /** Whether the result of a try found no row that it belongs to. */
  readonly missesRows: boolean;
}

interface History {
  /** Whether all its commits are there, because each of them waited for the standby. */
  readonly is_whole: boolean;
  /** Since workers know of it, in seconds. */
  readonly age: number;
  readonly began_at: string;
  readonly lost_since: string | null;
}

const lookSql = `
  select clock_timestamp()::text as now, ${timelineSql} as timeline,
    current_setting('synchronous_standby_names') <> '' as is_synchronous`;

/** The present history, and whether the one before it was copied commit by commit. The first begins at no moment. */
const historySql = `
  select h.began_at::text, h.lost_since::text, extract(epoch from clock_timestamp() - h.began_at)::float8 as age,
    h.began_at = '-infinity' or coalesce((select b.is_synchronous from database_histories b
      where b.history <> h.history order by b.began_at desc limit 1), false) as is_whole
  from database_histories h where h.history = database_history()`;

/** Where the log of this server ended when it was promoted, and which claims it lacks ($1 and $2). */
const recallSql = `
  select pg_last_wal_replay_lsn()::text as log_end, $3::pg_lsn <= pg_last_wal_replay_lsn() as has_log,
    array(select t.id from unnest($1::uuid[], $2::int[]) as t (id, attempt)
      left join messages m on m.id = t.id where m.id is null or m.attempt < t.attempt) as missing`;

/**
 * Looks whether the database is still the one that this worker knows. A standby that was promoted may have forgotten
 * the last commits of the old primary, claims among them: what they sent must not be sent again. See ADR 17.
 */
@Injectable()
export class HistoryWatch {
  private isSynchronous: boolean | null = null;
  /** The timeline that the last look found; claims need it to be the one that is followed. */
  private seen: string | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly timeline: DatabaseTimeline,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Whether messages may be claimed: what the database may have forgotten has been dealt with. */
  get mayClaim(): boolean {
    return this.seen !== null && this.seen === this.timeline.current;
  }

  /**
   * Looks, and follows another timeline when that is safe.
   * @param endForgotten declares unconfirmed what was due by a moment of the database's clock.
   * @returns the database's clock.
   */
  async look(
    testimony: Testimony,
    endForgotten: (before: string) => Promise<number>,
  ): Promise<string> {
    const [row]: { now: string; timeline: string; is_synchronous: boolean }[] =
      await this.dataSource.query(lookSql);
    if (!row) return '';
    this.seen = row.timeline;
    if (!this.mayClaim) await this.enter(row.timeline, testimony, endForgotten);
    if (this.mayClaim && row.is_synchronous !== this.isSynchronous) {
      await noteReplication(this.dataSource, row.is_synchronous);
      this.isSynchronous = row.is_synchronous;
    }
    return row.now;
  }

  private async enter(
    timeline: string,
    testimony: Testimony,
    endForgotten: (before: string) => Promise<number>,
  ): Promise<void> {
    await noteHistory(this.dataSource);
    const forgotten = this.timeline.current !== null && (await this.findForgotten(testimony));
    if (forgotten) await this.declareLoss(forgotten);
    const [history]: History[] = await this.dataSource.query(historySql);
    if (!history || (!history.is_whole && history.age < testimonySeconds)) return;
    if (history.lost_since !== null) {
      const ended = await endForgotten(history.began_at);
      this.logger.error({ messages: ended }, 'what may have been sent is unconfirmed now');
    }
    this.timeline.follow(timeline);
    this.isSynchronous = null;
  }

  /** What this worker knows and the server does not; null where it lacks nothing. */
  private async findForgotten({ inHand, missesRows }: Testimony): Promise<object | null> {
    const { highestSeen } = this.timeline;
    const [row]: { log_end: string | null; has_log: boolean | null; missing: string[] }[] =
      await this.dataSource.query(recallSql, [
        [...inHand.keys()],
        [...inHand.values()],
        highestSeen,
      ]);
    const lacksLog = highestSeen !== null && row?.has_log !== true;
    if (!missesRows && !lacksLog && row?.missing.length === 0) return null;
    return {
      seen: highestSeen,
      log_end: row?.log_end,
      missing: row?.missing,
      misses_rows: missesRows,
    };
  }

  /** The first worker that notices says so, to the others and to administrators. */
  private async declareLoss(forgotten: object): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const loss = await declareLoss(manager);
      if (!loss) return;
      const from = loss.from.toISOString();
      const to = loss.to.toISOString();
      this.logger.fatal(
        { from, to, ...forgotten },
        'the database went back in time: a standby without the last commits took over',
      );
      const accounts: { id: string }[] = await manager.query('select id from accounts order by id');
      for (const { id } of accounts) {
        await raiseAlert(manager, {
          accountId: id,
          kind: 'database_history',
          subject: to,
          message:
            `PostgreSQL was replaced by a standby that had not received the last commits. What happened from ${from} ` +
            `to ${to} may be missing: messages, statuses, and changes of settings. Messages that were waiting may ` +
            'have been sent; they are unconfirmed and will not be sent again.',
          details: { from, to },
        });
      }
    });
  }
}
