import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { KnownKey } from '../api-keys/api-key-directory.js';
import { GroupCommit } from '../database/group-commit.js';
import { LOGGER } from '../logging/logging.module.js';
import { PaceStore } from './pace-store.js';
import { type QuotaRequest, QuotaStore } from './quota-store.js';

/** How often day counts are kept where a lost counter is taken up from. */
const keepEveryMs = 5_000;

/** What one request got of its key's quota. */
export interface QuotaTaken {
  /** The window that is full, or null when the request may go on. */
  readonly refusedBy: 'minute' | 'day' | null;
  readonly minuteUsed: number;
  readonly dayUsed: number;
  readonly accountVersion: number;
  readonly nowMs: number;
}

type Unit = Omit<QuotaRequest, 'count'>;

/** The largest number that the stores can hold. */
const beyondAnyDay = 2 ** 31 - 1;

const unitOf = (key: KnownKey): Unit => ({
  apiKeyId: key.principal.apiKeyId,
  accountId: key.principal.accountId,
  minuteLimit: key.rateLimitPerMinute,
  dayLimit: key.dailyLimit,
});

/** Takes units for requests, those that arrive together in one round trip. */
@Injectable()
export class QuotaService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly group: GroupCommit<Unit, QuotaTaken>;
  private readonly givenBack = new Map<string, number>();
  private readonly dayCounts = new Map<string, { day: number; used: number }>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly store: QuotaStore,
    private readonly paces: PaceStore,
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.group = new GroupCommit({
      commit: (units) => this.takeTogether(units),
      maxSize: 500,
      gathers: false,
    });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.keepDayCounts(), keepEveryMs);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.keepDayCounts();
    await this.store.close();
    await this.paces.close();
  }

  /** Takes one unit of the minute and the day, and asks for the account's version. */
  take(key: KnownKey): Promise<QuotaTaken> {
    return this.group.add(unitOf(key));
  }

  /** The same, though the day is used up: its unit is given back with the answer. */
  async takeBeyondDay(key: KnownKey): Promise<QuotaTaken> {
    const [taken] = await this.takeTogether([{ ...unitOf(key), dayLimit: beyondAnyDay }]);
    if (!taken) throw new Error('the quota store left out a key');
    return taken;
  }

  /** Gives the day's unit back, in groups, behind the caller's back. */
  giveBackDay(apiKeyId: string): void {
    if (this.givenBack.size === 0) setImmediate(() => void this.flushGivenBack());
    this.givenBack.set(apiKeyId, (this.givenBack.get(apiKeyId) ?? 0) + 1);
  }

  private async flushGivenBack(): Promise<void> {
    const units = new Map(this.givenBack);
    this.givenBack.clear();
    try {
      await this.store.giveBackDay(units);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not give units of the day back');
    }
  }

  private async takeTogether(units: readonly Unit[]): Promise<QuotaTaken[]> {
    // Requests of one key share a counter; different beliefs about its limits stand apart.
    const groups = new Map<string, { request: Unit; indexes: number[] }>();
    units.forEach((unit, index) => {
      const group = groups.get(unit.apiKeyId);
      if (group) group.indexes.push(index);
      else groups.set(unit.apiKeyId, { request: unit, indexes: [index] });
    });
    const entries = [...groups.values()];
    const answers = await this.store.take(
      entries.map(({ request, indexes }) => ({ ...request, count: indexes.length })),
    );
    const taken: QuotaTaken[] = [];
    entries.forEach(({ request, indexes }, group) => {
      const answer = answers[group];
      if (!answer) throw new Error('the quota store left out a key');
      this.dayCounts.set(request.apiKeyId, {
        day: Math.floor(answer.nowMs / 86_400_000),
        used: answer.dayUsed,
      });
      indexes.forEach((index, position) => {
        const isGranted = position < answer.granted;
        // Counts after this request's own unit, as if the group had come one by one.
        const later = Math.max(0, answer.granted - position - 1);
        taken[index] = {
          refusedBy: isGranted ? null : answer.minuteUsed >= request.minuteLimit ? 'minute' : 'day',
          minuteUsed: answer.minuteUsed - later,
          dayUsed: answer.dayUsed - later,
          accountVersion: answer.accountVersion,
          nowMs: answer.nowMs,
        };
      });
    });
    return taken;
  }

  private async keepDayCounts(): Promise<void> {
    if (this.dayCounts.size === 0) return;
    const counts = [...this.dayCounts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.dayCounts.clear();
    try {
      await this.dataSource.query(
        `insert into api_key_usage (api_key_id, day, used)
         select * from unnest($1::uuid[], $2::int[], $3::int[])
         on conflict (api_key_id, day) do update set used = greatest(api_key_usage.used, excluded.used)`,
        [
          counts.map(([apiKeyId]) => apiKeyId),
          counts.map(([, { day }]) => day),
          counts.map(([, { used }]) => used),
        ],
      );
    } catch (error) {
      this.logger.warn({ err: error }, 'could not keep the day counts');
    }
  }
}
