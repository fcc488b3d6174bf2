import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hourMs, minuteMs } from '#libs/durations';
import type { Mode } from '../access/mode.js';
import { firstIdAt, timeOfId } from '../database/ids.js';
import * as sql from './outcome-counts.statements.js';
import { type Outcomes, sumOfOutcomes } from './outcomes.js';

/** Hours are kept for this long: a day more than the longest time that is asked for, and the one before it. */
const keptMs = 61 * 24 * hourMs;

/** Outcomes of the last day are counted when they are asked for: most of them still change. */
const liveMs = 24 * hourMs;

/** What was accepted since then is counted when it is asked for. */
const liveFrom = (nowMs: number) => startOf(hourMs, nowMs - liveMs);

const startOf = (unitMs: number, ms: number) => Math.floor(ms / unitMs) * unitMs;

/** What became of the messages of a part of a time. */
interface OutcomeStep extends Outcomes {
  readonly atMs: number;
}

/** The outcomes of a time, and of its parts. */
export interface OutcomesOfTime extends Outcomes {
  readonly fromMs: number;
  /** As many as were asked for, in their order. The last one goes on until the end of the time. */
  readonly steps: readonly OutcomeStep[];
  /** False while hours of this time have not been counted for the first time. */
  readonly isComplete: boolean;
}

/** A time, and the parts of it that are counted apart. */
interface OutcomeTime {
  readonly fromMs: number;
  readonly toMs: number;
  readonly liveFromMs: number;
  /** A whole number of hours where the time begins more than a day ago. */
  readonly stepMs: number;
  readonly steps: number;
}

/** Whose outcomes; an account of null is all of them together, a mode of null both. */
interface OutcomeScope {
  readonly accountId: string | null;
  readonly mode: Mode | null;
}

/** Counts what became of messages: the last day when it is asked for, and before that by the hour. */
@Injectable()
export class OutcomeCounts {
  constructor(private readonly dataSource: DataSource) {}

  /** The outcomes of the last steps. They begin at a whole minute, or at a whole hour if that is more than a day ago. */
  async since(stepMs: number, steps: number, scope: OutcomeScope): Promise<OutcomesOfTime> {
    const nowMs = Date.now();
    const askedMs = nowMs - steps * stepMs;
    const liveFromMs = liveFrom(nowMs);
    const fromMs = startOf(askedMs < liveFromMs ? hourMs : minuteMs, askedMs);
    return this.of({ fromMs, toMs: nowMs + hourMs, liveFromMs, stepMs, steps }, scope);
  }

  /** The outcomes of as many steps before a time; before a whole hour if they begin more than a day ago. */
  async before(
    endMs: number,
    stepMs: number,
    steps: number,
    scope: OutcomeScope,
  ): Promise<OutcomesOfTime> {
    const liveFromMs = liveFrom(Date.now());
    const isLive = endMs - steps * stepMs >= liveFromMs;
    const toMs = startOf(isLive ? minuteMs : hourMs, endMs);
    return this.of({ fromMs: toMs - steps * stepMs, toMs, liveFromMs, stepMs, steps }, scope);
  }

  private async of(time: OutcomeTime, scope: OutcomeScope): Promise<OutcomesOfTime> {
    const { fromMs, toMs, stepMs, steps } = time;
    const meetingMs = Math.min(Math.max(fromMs, time.liveFromMs), toMs);
    const [live, hours, missing] = await Promise.all([
      meetingMs < toMs ? this.count(meetingMs, toMs, Math.min(stepMs, hourMs), scope) : [],
      fromMs < meetingMs ? this.countedHours(fromMs, meetingMs, scope) : [],
      fromMs < meetingMs ? this.missing(fromMs, meetingMs, scope.mode) : 0,
    ]);
    const parts = [...hours, ...live];
    const isIn = (index: number) => (part: OutcomeStep) =>
      Math.min(Math.floor((part.atMs - fromMs) / stepMs), steps - 1) === index;
    return {
      ...sumOfOutcomes(parts),
      fromMs,
      steps: Array.from({ length: steps }, (_, index) => ({
        atMs: fromMs + index * stepMs,
        ...sumOfOutcomes(parts.filter(isIn(index))),
      })),
      isComplete: missing === 0,
    };
  }

  /** Counts the hours that are due, each in a statement of its own, and forgets those that nobody asks for. */
  async keepHours(): Promise<void> {
    const nowMs = Date.now();
    const keptFromMs = startOf(hourMs, nowMs - keptMs);
    const firstMs = await this.firstHour(keptFromMs);
    if (firstMs !== null) {
      // The hour that will be needed next is ready by then.
      const due = await sql.listDueHours.rows(this.dataSource, {
        from: new Date(firstMs),
        to: new Date(liveFrom(nowMs)),
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
    stepMs: number,
    scope: OutcomeScope,
  ): Promise<OutcomeStep[]> {
    const rows = await sql.countOutcomes.rows(this.dataSource, {
      ...periodOf(fromMs, toMs),
      ...scope,
      stepMs,
    });
    return rows.map(({ at, ...outcomes }) => ({ atMs: at.getTime(), ...outcomes }));
  }

  private async countedHours(
    fromMs: number,
    toMs: number,
    { accountId, mode }: OutcomeScope,
  ): Promise<OutcomeStep[]> {
    const rows = await sql.listCountedHours
      .of(accountId)
      .rows(this.dataSource, { from: new Date(fromMs), to: new Date(toMs), accountId, mode });
    return rows.map(({ hour, ...outcomes }) => ({ atMs: hour.getTime(), ...outcomes }));
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
