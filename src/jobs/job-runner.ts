import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import type { Row } from '../database/statements/statement.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { AppError } from '../errors/app-error.js';
import { toAppError } from '../http/app-error.filter.js';
import { LOGGER } from '../logging/logging.module.js';
import { UnknownAcceptanceError } from '../messages/acceptance/message-acceptance.js';
import { MessageResends } from '../messages/sends/message-resends.service.js';
import { UnsentMessages } from '../messages/sends/unsent-messages.service.js';
import { Timers } from '../timers/timers.js';
import * as sql from './job-runner.statements.js';

const lookEveryMs = 1_000;

/** A process leaves a job to others after so long, and takes the one that has waited longest. */
const turnMs = 1_000;

/** When a refusal names no time after which it may be different. */
const waitSeconds = 10;

type Job = Readonly<Row<typeof sql.claimJob>>;

type Item = Readonly<Row<typeof sql.listOpenItems>>;

/** What became of an item, and the code of the error where it failed. */
type Outcome = { readonly isDone: boolean; readonly code: string | null };

/**
 * Works on jobs, in each process of the API: one job at a time, each job in one process. Every step can be repeated: an
 * event is delivered in the transaction that counts it, a message is sent again once, and cancelled once.
 */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly timers: Timers;
  private isStopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly deliveries: DeliveriesService,
    private readonly resends: MessageResends,
    private readonly unsent: UnsentMessages,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.timers = new Timers(logger);
  }

  onApplicationBootstrap(): void {
    this.timers.every(lookEveryMs, 'work on jobs', () => this.work());
  }

  onApplicationShutdown(): void {
    this.isStopping = true;
    this.timers.stop();
  }

  private async work(): Promise<void> {
    while (!this.isStopping) {
      const job = await sql.claimJob.row(this.dataSource);
      if (!job) return;
      const endsAt = performance.now() + turnMs;
      let isGoingOn = true;
      while (isGoingOn && performance.now() < endsAt && !this.isStopping) {
        const items = await sql.listOpenItems.rows(this.dataSource, { jobId: job.id });
        const areOver = await Promise.all(items.map((item) => this.tryItem(job, item)));
        // Where all of them are refused for now, the next ones most likely are, too.
        isGoingOn = areOver.includes(true);
      }
      await sql.endJob.run(this.dataSource, { jobId: job.id });
      const seconds = isGoingOn ? 0 : lookEveryMs / 1_000;
      await sql.leaveJob.run(this.dataSource, { jobId: job.id, seconds });
    }
  }

  /** @returns false where it is to be tried again. */
  private async tryItem(job: Job, item: Item): Promise<boolean> {
    try {
      await this.doItem(job, item);
    } catch (thrown) {
      const error = toAppError(thrown);
      const seconds = waitOf(error);
      if (seconds === null || job.is_old) {
        await this.note(this.dataSource.manager, job, item, { isDone: false, code: error.code });
      } else {
        const { position } = item;
        await sql.putItemOff.run(this.dataSource, { jobId: job.id, position, seconds });
        return false;
      }
    }
    return true;
  }

  private async doItem(job: Job, item: Item): Promise<void> {
    const isDone = { isDone: true, code: null };
    const { account_id: accountId } = job;
    if (job.kind === 'redeliver') {
      return this.deliveries.redeliverIn(accountId, item.subject_id, async (manager) => {
        // Another process was first: this transaction must change nothing.
        if (!(await this.note(manager, job, item, isDone))) throw new AppError('CONFLICT');
      });
    }
    if (job.kind === 'resend') await this.resends.resendLater(accountId, item.subject_id);
    else await this.unsent.cancelIn(accountId, item.subject_id);
    await this.note(this.dataSource.manager, job, item, isDone);
  }

  /** @returns false where it was counted before. */
  private async note(
    manager: EntityManager,
    job: Job,
    item: Item,
    { isDone, code }: Outcome,
  ): Promise<boolean> {
    const { position } = item;
    const row = await sql.noteItem.row(manager, { jobId: job.id, position, isDone, code });
    return row?.noted === 1;
  }
}

/** After how many seconds what was refused may go; null where it will not. A quota of the day is not waited for. */
function waitOf(error: AppError): number | null {
  if (error instanceof UnknownAcceptanceError) return sql.leaseSeconds;
  const isForNow = error.code === 'RATE_LIMIT_EXCEEDED' || error.status === 503;
  if (!isForNow || error.details?.reason === 'no_simulator') return null;
  return error.retryAfterSeconds ?? waitSeconds;
}
