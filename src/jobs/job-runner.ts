import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { AppError } from '../errors/app-error.js';
import { toAppError } from '../http/app-error.filter.js';
import { LOGGER } from '../logging/logging.module.js';
import { UnknownAcceptanceError } from '../messages/acceptance/message-acceptance.js';
import { MessageResends } from '../messages/sends/message-resends.service.js';
import { UnsentMessages } from '../messages/sends/unsent-messages.service.js';
import { Timers } from '../timers/timers.js';
import type { JobKind } from './jobs.dto.js';

const lookEveryMs = 1_000;

/** So many at once. A job that is stopped still does those that are under way. */
const batchMax = 8;

/** A process leaves a job to others after so long, and takes the one that has waited longest. */
const turnMs = 1_000;

/** Another process may go on with a job that has told nothing for so long. */
const leaseSeconds = 60;

/** When a refusal names no time after which it may be different. */
const waitSeconds = 10;

/** What is refused for now is tried again for so long. */
const patienceHours = 24;

interface Job {
  readonly id: string;
  readonly kind: JobKind;
  readonly account_id: string | null;
  /** What is refused for now has been tried for long enough. */
  readonly is_old: boolean;
}

interface Item {
  readonly position: number;
  readonly subject_id: string;
}

/** What became of an item, and the code of the error where it failed. */
type Outcome = { readonly isDone: boolean; readonly code: string | null };

const claimSql = `
  update jobs set resume_at = now() + make_interval(secs => ${leaseSeconds})
  where id = (
    select id from jobs where state = 'running' and resume_at <= now()
    order by kind <> 'cancel', resume_at, id limit 1 for update skip locked)
  returning id, kind, account_id, created_at < now() - make_interval(hours => ${patienceHours}) as is_old`;

const itemsSql = `
  select position, subject_id from job_items
  where job_id = $1 and is_done is null and (retry_at is null or retry_at <= now())
    and exists (select from jobs where id = $1 and state = 'running')
  order by retry_at nulls first, position limit ${batchMax}`;

const retrySql = `
  update job_items set retry_at = now() + make_interval(secs => $3) where job_id = $1 and position = $2 and is_done is null`;

/** Counts an item, at most once. */
const noteSql = `
  with noted as (
    update job_items set is_done = $3, code = $4 where job_id = $1 and position = $2 and is_done is null returning is_done
  )
  update jobs set done = done + (select count(*) from noted where is_done),
    failed = failed + (select count(*) from noted where not is_done)
  where id = $1 returning (select count(*)::int from noted) as noted`;

const endSql = `
  update jobs set state = 'done', ended_at = now()
  where id = $1 and state = 'running' and not exists (select from job_items where job_id = $1 and is_done is null)`;

/** When the first item may be tried again; at the earliest after $2 seconds. */
const leaveSql = `
  update jobs set resume_at = greatest(now() + make_interval(secs => $2), (
    select coalesce(retry_at, now()) from job_items where job_id = $1 and is_done is null
    order by retry_at nulls first, position limit 1))
  where id = $1`;

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
      const job = await this.claim();
      if (!job) return;
      const endsAt = performance.now() + turnMs;
      let isGoingOn = true;
      while (isGoingOn && performance.now() < endsAt && !this.isStopping) {
        const items: Item[] = await this.dataSource.query(itemsSql, [job.id]);
        const areOver = await Promise.all(items.map((item) => this.tryItem(job, item)));
        // Where all of them are refused for now, the next ones most likely are, too.
        isGoingOn = areOver.includes(true);
      }
      await this.dataSource.query(endSql, [job.id]);
      await this.dataSource.query(leaveSql, [job.id, isGoingOn ? 0 : lookEveryMs / 1_000]);
    }
  }

  private async claim(): Promise<Job | undefined> {
    const [[job]]: [Job[], number] = await this.dataSource.query(claimSql);
    return job;
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
        await this.dataSource.query(retrySql, [job.id, item.position, seconds]);
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
    const [[row]]: [{ noted: number }[], number] = await manager.query(noteSql, [
      job.id,
      item.position,
      isDone,
      code,
    ]);
    return row?.noted === 1;
  }
}

/** After how many seconds what was refused may go; null where it will not. A quota of the day is not waited for. */
function waitOf(error: AppError): number | null {
  if (error instanceof UnknownAcceptanceError) return leaseSeconds;
  const isForNow = error.code === 'RATE_LIMIT_EXCEEDED' || error.status === 503;
  if (!isForNow || error.details?.reason === 'no_simulator') return null;
  return error.retryAfterSeconds ?? waitSeconds;
}
