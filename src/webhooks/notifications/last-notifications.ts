import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { LOGGER } from '../../logging/logging.module.js';

const everyMs = 60_000;

/** Keeps when the platform last reported on each account, to the minute. */
@Injectable()
export class LastNotifications {
  private readonly notedAt = new Map<string, number>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records that the platform has reported on these accounts just now. Do not wait for it. */
  note(accountIds: Iterable<string>): void {
    const now = performance.now();
    const due = [...new Set(accountIds)].filter(
      (id) => now - (this.notedAt.get(id) ?? Number.NEGATIVE_INFINITY) > everyMs,
    );
    if (due.length === 0) return;
    for (const id of due) this.notedAt.set(id, now);
    this.write(due).catch((error: unknown) => {
      for (const id of due) this.notedAt.delete(id);
      this.logger.debug(
        { err: error },
        'could not record when the last notification of an account arrived',
      );
    });
  }

  private async write(accountIds: string[]): Promise<void> {
    await this.dataSource.query(
      `insert into account_notifications as n (account_id, last_at)
       select id, now() from unnest($1::uuid[]) as t (id) order by id
       on conflict (account_id) do update set last_at = excluded.last_at
         where n.last_at < excluded.last_at - interval '30 seconds'`,
      [accountIds],
    );
  }
}
