import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hourMs, minuteMs } from '#libs/durations';
import type { Mode } from '../access/mode.js';
import { firstIdAt, timeOfId } from '../database/ids.js';
import * as sql from './outcome-counts.statements.js';
import { type Outcomes, sumOfOutcomes } from './outcomes.js';

/** Hours are kept for this long: a day more than is asked for. */
const keptMs = 31 * 24 * hourMs;

/** Outcomes of the last day are counted when they are asked for: most of them still change. */
const liveMs = 24 * hourMs;

const startOf = (unitMs: number, ms: number) => Math.floor(ms / unitMs) * unitMs;

interface OutcomesSince extends Outcomes {
  readonly fromMs: number;
  /** False while hours of this time have not been counted for the first time. */
  readonly isComplete: boolean;
}

/** Counts what became of messages: the last day when it is asked for, and before that by the hour. */
@Injectable()
export class OutcomeCounts {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The outcomes since a time. It is moved back to a whole minute, and to a whole hour if it is more than a day ago.
   * @param accountId null: all accounts together.
   * @param mode null: live and test together.
   */
  async since(
    askedMs: number,
    accountId: string | null,
    mode: Mode | null = null,
  ): Promise<OutcomesSince> {
    const nowMs = Date.now();
    const liveFromMs = startOf(hourMs, nowMs - liveMs);
    const fromMs = startOf(askedMs < liveFromMs ? hourMs : minuteMs, askedMs);
    if (fromMs >= liveFromMs) {
      const counted = await this.count(fromMs, nowMs + hourMs, accountId, mode);
      return { ...counted, fromMs, isComplete: true };
    }
    const [live, hours, missing] = await Promise.all([
      this.count(liveFromMs, nowMs + hourMs, accountId, mode),
      this.countedHours(fromMs, liveFromMs, accountId, mode),
      this.missing(fromMs, liveFromMs, mode),
    ]);
    return { ...sumOfOutcomes([live, ...hours]), fromMs, isComplete: missing === 0 };
  }

  /** Counts the hours that are due, each in a statement of its own, and forgets those that nobody asks for. */
  async keepHours(): Promise<void> {
    const nowMs = Date.now();
    const keptFromMs = startOf(hourMs, nowMs - keptMs);
    const firstMs = await this.firstHour(keptFromMs);
    if (firstMs !== null) {
      // The hour that will be needed next is ready by then.
      const lastMs = startOf(hourMs, nowMs - liveMs);
      const due = await sql.listDueHours.rows(this.dataSource, {
        from: new Date(firstMs),
        to: new Date(lastMs),
      });
      for (const { hour } of due) await this.keepHour(hour.getTime());
    }
    const keptFrom = new Date(keptFromMs);
    await sql.forgetOutcomesBefore.run(this.dataSource, { hour: keptFrom });
    await sql.forgetRepliesBefore.run(this.dataSource, { minute: keptFrom });
  }

  private async keepHour(hourStartMs: number): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const hour = new Date(hourStartMs);
      await sql.forgetOutcomesOfHour.run(manager, { hour });
      await sql.keepOutcomes.run(manager, { ...periodOf(hourStartMs, hourStartMs + hourMs), hour });
    });
  }

  private async count(
    fromMs: number,
    toMs: number,
    accountId: string | null,
    mode: Mode | null,
  ): Promise<Outcomes> {
    const rows = await sql.countOutcomes.rows(this.dataSource, {
      ...periodOf(fromMs, toMs),
      accountId,
    });
    return sumOfOutcomes(rows.filter((row) => row.account_id === null && row.mode === mode));
  }

  private countedHours(
    fromMs: number,
    toMs: number,
    accountId: string | null,
    mode: Mode | null,
  ): Promise<Outcomes[]> {
    return sql.listCountedHours
      .of(accountId)
      .rows(this.dataSource, { from: new Date(fromMs), to: new Date(toMs), accountId, mode });
  }

  /** How many hours have something to count and have not been counted yet. */
  private async missing(fromMs: number, toMs: number, mode: Mode | null): Promise<number> {
    const firstMs = await this.firstHour(fromMs);
    if (firstMs === null || firstMs >= toMs) return 0;
    const row = await sql.countCountedHours.row(this.dataSource, {
      from: new Date(firstMs),
      to: new Date(toMs),
      mode,
    });
    return (toMs - firstMs) / hourMs - (row?.counted ?? 0);
  }

  /** The first hour since a time that has a message or a reply, in milliseconds; null when none has. */
  private async firstHour(fromMs: number): Promise<number | null> {
    const row = await sql.findFirstCounted.row(this.dataSource, {
      firstId: firstIdAt(fromMs),
      from: new Date(fromMs),
    });
    const times = [row?.id ? timeOfId(row.id) : null, row?.minute?.getTime() ?? null];
    const first = Math.min(...times.filter((time) => time !== null));
    return Number.isFinite(first) ? startOf(hourMs, first) : null;
  }
}

/** The ids and the times of a period. */
const periodOf = (fromMs: number, toMs: number) => ({
  firstId: firstIdAt(fromMs),
  endId: firstIdAt(toMs),
  from: new Date(fromMs),
  to: new Date(toMs),
});
