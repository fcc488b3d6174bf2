import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { minuteMs } from '#libs/durations';
import type { Principal } from '../access/principal.js';
import { GroupCommit } from '../database/group-commit.js';
import { DailyLimitError, type DayUsed } from '../errors/daily-limit.js';
import { LOGGER } from '../logging/logging.module.js';
import { type MinuteUnits, type QuotaRequest, QuotaStore } from './quota-store.js';

/** What one request got of its key's quota. */
export interface QuotaTaken {
  /** The window that is full, or null when the request may go on. */
  readonly refusedBy: 'minute' | 'day' | null;
  readonly minuteUsed: number;
  /** Without the request's own unit, which it takes when it is accepted. */
  readonly dayUsed: number;
  readonly accountVersion: number;
  readonly nowMs: number;
}

/** Whether a request got its unit of the day, and what is used then. */
interface DayUnitTaken extends DayUsed {
  readonly isGranted: boolean;
}

/** A key, as far as its quota goes. */
export interface QuotaKey {
  readonly rateLimitPerMinute: number;
  /**
   * Its requests take a unit of the minute alone, by a limit that nobody changes. So a refusal holds for a second, and
   * thousands that come together are refused with one look at the store.
   */
  readonly hasNoDay?: true;
  readonly principal: Pick<Principal, 'apiKeyId' | 'accountId' | 'dailyLimit'>;
}

type Unit = Omit<QuotaRequest, 'count'>;

/** How long a refusal is repeated without another look at the store. */
const refusalHoldsMs = 1_000;

/** The largest number that the stores can hold. */
export const beyondAnyDay = 2 ** 31 - 1;

const unitOf = (key: QuotaKey): Unit => ({
  apiKeyId: key.principal.apiKeyId,
  accountId: key.principal.accountId,
  minuteLimit: key.rateLimitPerMinute,
  dayLimit: key.principal.dailyLimit,
});

/** Takes units for requests, those that arrive together in one round trip. */
@Injectable()
export class QuotaService implements OnApplicationShutdown {
  private readonly minutes: GroupCommit<Unit, QuotaTaken>;
  private readonly days: GroupCommit<Unit, DayUnitTaken>;
  private givenBack = new Map<string, MinuteUnits>();
  private usedDays = new Map<string, DayUsed>();
  private readonly refusals = new Map<
    string,
    { readonly taken: QuotaTaken; readonly atMs: number }
  >();

  constructor(
    private readonly store: QuotaStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const size = { maxSize: 500, gathers: false };
    this.minutes = new GroupCommit({ commit: (units) => this.takeTogether(units), ...size });
    this.days = new GroupCommit({ commit: (units) => this.takeDayTogether(units), ...size });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }

  /** Takes one unit of the minute unless the day is used up, and asks for the account's version. */
  async takeUnit(key: QuotaKey): Promise<QuotaTaken> {
    const { apiKeyId } = key.principal;
    const refusal = key.hasNoDay && this.refusalOf(apiKeyId);
    if (refusal) return refusal;
    const taken = await this.minutes.enqueue(unitOf(key));
    if (key.hasNoDay && taken.refusedBy) {
      this.refusals.set(apiKeyId, { taken, atMs: performance.now() });
    }
    return taken;
  }

  /** The latest refusal, as if the store had just given it, while it holds. */
  private refusalOf(apiKeyId: string): QuotaTaken | null {
    const refusal = this.refusals.get(apiKeyId);
    if (!refusal) return null;
    const passedMs = performance.now() - refusal.atMs;
    const nowMs = refusal.taken.nowMs + passedMs;
    const isSameMinute =
      Math.floor(nowMs / minuteMs) === Math.floor(refusal.taken.nowMs / minuteMs);
    if (passedMs < refusalHoldsMs && isSameMinute) return { ...refusal.taken, nowMs };
    this.refusals.delete(apiKeyId);
    return null;
  }

  /** The same even if the day is used up: the request repeats another one and takes no unit of the day. */
  async takeBeyondDay(key: QuotaKey): Promise<QuotaTaken> {
    const [taken] = await this.takeTogether([{ ...unitOf(key), dayLimit: beyondAnyDay }]);
    if (!taken) throw new Error('the quota store left out a key');
    return taken;
  }

  /** Gives a unit of the minute back, in groups and in the background. */
  giveBackMinute(apiKeyId: string, takenAtMs: number): void {
    if (this.givenBack.size === 0) setImmediate(() => void this.flushGivenBack());
    const minute = Math.floor(takenAtMs / minuteMs);
    const id = `${apiKeyId} ${minute}`;
    const count = (this.givenBack.get(id)?.count ?? 0) + 1;
    this.givenBack.set(id, { apiKeyId, minute, count });
  }

  /**
   * Takes one unit of the day, for a request that stores nothing.
   * @throws AppError DAILY_LIMIT_EXCEEDED
   */
  async takeDay(key: QuotaKey): Promise<DayUsed> {
    const day = await this.days.enqueue(unitOf(key));
    if (!day.isGranted) throw new DailyLimitError(day, key.principal.dailyLimit, Date.now());
    return day;
  }

  /** Tells every process, in groups, how much of a key's day is left after an accepted request. */
  noteDay(apiKeyId: string, dayUsed: DayUsed): void {
    if (this.usedDays.size === 0) setImmediate(() => void this.flushDays());
    const noted = this.usedDays.get(apiKeyId);
    const isOld =
      noted !== undefined && (noted.day - dayUsed.day || noted.used - dayUsed.used) >= 0;
    if (!isOld) this.usedDays.set(apiKeyId, dayUsed);
  }

  private async flushGivenBack(): Promise<void> {
    const units = [...this.givenBack.values()];
    this.givenBack = new Map();
    try {
      await this.store.giveBackMinute(units);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not return units of the minute');
    }
  }

  private flushDays(): Promise<void> {
    const days = this.usedDays;
    this.usedDays = new Map();
    return this.store.publishDays(days);
  }

  private async takeDayTogether(units: readonly Unit[]): Promise<DayUnitTaken[]> {
    const entries = groupByKey(units);
    const answers = await this.store.takeDay(
      entries.map(({ request, indexes }) => ({ ...request, count: indexes.length })),
    );
    const days: DayUnitTaken[] = [];
    entries.forEach(({ indexes }, group) => {
      const answer = answers[group];
      if (!answer) throw new Error('the quota store left out a key');
      indexes.forEach((index, position) => {
        const later = Math.max(0, answer.granted - position - 1);
        const isGranted = position < answer.granted;
        days[index] = { day: answer.day, used: answer.used - later, isGranted };
      });
    });
    return days;
  }

  private async takeTogether(units: readonly Unit[]): Promise<QuotaTaken[]> {
    const entries = groupByKey(units);
    const answers = await this.store.takeUnits(
      entries.map(({ request, indexes }) => ({ ...request, count: indexes.length })),
    );
    const taken: QuotaTaken[] = [];
    entries.forEach(({ request, indexes }, group) => {
      const answer = answers[group];
      if (!answer) throw new Error('the quota store left out a key');
      indexes.forEach((index, position) => {
        const isGranted = position < answer.granted;
        // The counts after this request's unit, as if the requests of the group had come one by one.
        const later = Math.max(0, answer.granted - position - 1);
        taken[index] = {
          refusedBy: isGranted ? null : answer.minuteUsed >= request.minuteLimit ? 'minute' : 'day',
          minuteUsed: answer.minuteUsed - later,
          dayUsed: answer.dayUsed,
          accountVersion: answer.accountVersion,
          nowMs: answer.nowMs,
        };
      });
    });
    return taken;
  }
}

/** Requests of one key share a counter, and the limits that the first of them knows. */
function groupByKey(units: readonly Unit[]): { request: Unit; indexes: number[] }[] {
  const groups = new Map<string, { request: Unit; indexes: number[] }>();
  units.forEach((unit, index) => {
    const group = groups.get(unit.apiKeyId);
    if (group) group.indexes.push(index);
    else groups.set(unit.apiKeyId, { request: unit, indexes: [index] });
  });
  return [...groups.values()];
}
