import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { minuteMs } from '#libs/durations';
import type { Mode } from '../access/mode.js';
import { LOGGER } from '../logging/logging.module.js';
import * as sql from './last-notifications.statements.js';
import { modesOf } from './routed-event.js';

const everyMs = minuteMs;

/** The platform reported on an account. */
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
    const input = sql.heardInput.valuesOf([...due.values()]);
    sql.noteHeard.run(this.dataSource, input).catch((error: unknown) => {
      for (const key of due.keys()) this.notedAt.delete(key);
      this.logger.debug(
        { err: error },
        'could not record when the last notification of an account arrived',
      );
    });
  }
}

/** Notes that every account may miss reports: the database is a copy. */
export async function forgetAllHeard(queries: Pick<EntityManager, 'query'>): Promise<void> {
  await sql.forgetAllHeard.run(queries);
}

/** Notes that an account may miss reports: the time since when it has had all of them is no longer known. */
export async function forgetHeard(dataSource: DataSource, accountId: string): Promise<void> {
  await sql.forgetHeard.run(dataSource, { accountId });
}
