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
import * as sql from './periodic-work.statements.js';

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
    const rows = await sql.takeDueWork.rows(this.dataSource, {
      names: tasks.map(([name]) => name),
      everySeconds: tasks.map(([, { everySeconds }]) => everySeconds),
    });
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
    await sql.noteWorkError.run(this.dataSource, { name, problem });
  }
}
