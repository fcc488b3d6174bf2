import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { raiseAlert } from '../alerts/alerts.js';
import { pauseRestoredCampaigns } from '../campaigns/restored-campaigns.js';
import {
  declareLoss,
  noteHistory,
  noteReplication,
  noteWitness,
} from '../database/history/database-history.js';
import { DatabaseTimeline } from '../database/history/database-timeline.js';
import { LOGGER } from '../logging/logging.module.js';
import * as sql from './history-watch.statements.js';
import { holdRestored } from './restored-database.js';

/**
 * For this long, workers claim nothing in a new history, unless a worker vouches for it and commits waited for the
 * standby. Workers that have not noticed it yet get time to say whether it has forgotten a claim of theirs. It is longer
 * than a statement may take.
 */
const testimonySeconds = 20;

/** What a worker knows of messages that it has claimed. */
export interface Testimony {
  /** Messages that it has in hand, with the number of the try. */
  readonly inHand: ReadonlyMap<string, number>;
  /** Whether the result of a try found no row that it belongs to. */
  readonly missesRows: boolean;
}

/** Of a history: the cluster and the database, without the timeline. */
const placeOf = (history: string | undefined) => history?.replace(/\/[^/]*\//, '/');

/**
 * Looks whether the database is still the one that this worker knows. A standby that was promoted may have forgotten
 * the last commits of the old primary, claims among them, and a restored copy everything since it was made: what was
 * sent must not be sent again. See ADR 17.
 */
@Injectable()
export class HistoryWatch {
  private isSynchronous: boolean | null = null;
  /** The last look found this. Claims wait until it is also what this worker follows. */
  private seen: { readonly timeline: string; readonly history: string } | null = null;
  /** The history that this worker has claimed in. */
  private known: string | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly timeline: DatabaseTimeline,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Whether messages may be claimed: what the database may have forgotten has been dealt with. */
  get mayClaim(): boolean {
    return (
      this.seen !== null &&
      this.seen.timeline === this.timeline.current &&
      this.seen.history === this.known
    );
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
    const row = await sql.lookAtDatabase.row(this.dataSource);
    if (!row) return '';
    this.seen = row;
    if (!this.mayClaim) await this.enter(row, testimony, endForgotten);
    if (this.mayClaim && row.is_synchronous !== this.isSynchronous) {
      await noteReplication(this.dataSource, row.is_synchronous);
      this.isSynchronous = row.is_synchronous;
    }
    return row.now;
  }

  private async enter(
    { timeline, history: id }: { readonly timeline: string; readonly history: string },
    testimony: Testimony,
    endForgotten: (before: string) => Promise<number>,
  ): Promise<void> {
    await noteHistory(this.dataSource);
    await this.testify(id, testimony);
    const history = await sql.findHistory.row(this.dataSource);
    if (!history || (!history.is_settled && history.age < testimonySeconds)) return;
    if (history.lost_since === null) await this.hold();
    else await this.endLost(history.began_at, endForgotten);
    this.timeline.follow(timeline);
    this.known = id;
    this.isSynchronous = null;
  }

  /** Says whether anything is missing, if this worker has claimed in the history before the present one. */
  private async testify(present: string, testimony: Testimony): Promise<void> {
    if (this.known === null || placeOf(this.known) !== placeOf(present)) return;
    const forgotten = await this.findForgotten(testimony);
    if (forgotten) return this.declareLoss(forgotten);
    const former = await sql.findFormerHistory.row(this.dataSource);
    if (former?.history === this.known) await noteWitness(this.dataSource);
  }

  /** What may have been sent since the copy, where nobody vouches for the present history. */
  private async hold(): Promise<void> {
    const held = await holdRestored(this.dataSource);
    if (!held) return;
    this.logger.error(
      held,
      'the database was restored: what may have been sent since the copy is unconfirmed or paused now',
    );
  }

  /** What may have been sent by claims, and releases of campaigns, that are lost. */
  private async endLost(
    before: string,
    endForgotten: (before: string) => Promise<number>,
  ): Promise<void> {
    const messages = await endForgotten(before);
    const paused = await this.dataSource.transaction((manager) =>
      pauseRestoredCampaigns(manager, before),
    );
    this.logger.error(
      { messages, campaigns: paused.length },
      'what may have been sent is unconfirmed now, and campaigns are paused',
    );
  }

  /** What this worker knows and the server does not; null where it lacks nothing. */
  private async findForgotten({ inHand, missesRows }: Testimony): Promise<object | null> {
    const { highestSeen } = this.timeline;
    const row = await sql.recallClaims.row(this.dataSource, {
      ids: [...inHand.keys()],
      attempts: [...inHand.values()],
      highestSeen,
    });
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
      for (const { id } of await sql.listAccountIds.rows(manager)) {
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
