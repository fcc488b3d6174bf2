import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { LOGGER } from '../logging/logging.module.js';
import { Timers } from '../timers/timers.js';

const lookEveryMs = 1_000;

interface Task {
  readonly everySeconds: number;
  readonly run: () => Promise<void>;
}

/**
 * Work that recurs. Each kind is a row with `next_run_at`; the process that moves that time on does
 * the work, so any number of processes share it and no queue has to remember it.
 */
@Injectable()
export class PeriodicWork implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly tasks = new Map<string, Task>();
  private readonly timers: Timers;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timers = new Timers(logger);
  }

  /** Declares a kind of work. Call it before the application has started. */
  register(name: string, everySeconds: number, run: () => Promise<void>): void {
    this.tasks.set(name, { everySeconds, run });
  }

  onApplicationBootstrap(): void {
    this.timers.every(lookEveryMs, 'look for periodic work', () => this.look());
  }

  onModuleDestroy(): void {
    this.timers.stop();
  }

  private async look(): Promise<void> {
    if (this.tasks.size === 0) return;
    for (const name of await this.takeDue()) await this.run(name);
  }

  private async takeDue(): Promise<string[]> {
    const tasks = [...this.tasks];
    const rows: { name: string }[] = await this.dataSource.query(
      `with known as (
         insert into periodic_work (name, every_seconds, next_run_at)
         select name, every_seconds, now() from unnest($1::text[], $2::int[]) as t (name, every_seconds)
         on conflict (name) do nothing
         returning name
       ), due as (
         select name from periodic_work
         where name = any ($1) and next_run_at <= now() for update skip locked
       ), taken as (
         update periodic_work p set next_run_at = now() + make_interval(secs => t.every_seconds),
           every_seconds = t.every_seconds, last_run_at = now()
         from unnest($1::text[], $2::int[]) as t (name, every_seconds)
         where p.name = t.name and p.name in (select name from due)
         returning p.name
       )
       select name from taken`,
      [tasks.map(([name]) => name), tasks.map(([, { everySeconds }]) => everySeconds)],
    );
    return rows.map(({ name }) => name);
  }

  private async run(name: string): Promise<void> {
    let problem: string | null = null;
    try {
      await this.tasks.get(name)?.run();
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      this.logger.error({ err: error, work: name }, 'periodic work failed');
    }
    await this.dataSource.query('update periodic_work set last_error = $2 where name = $1', [
      name,
      problem,
    ]);
  }
}
