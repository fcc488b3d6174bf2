import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { AuditLog } from '../audit/audit-log.js';
import { newId } from '../database/ids.js';
import { type DeliveryDto, DeliveryListDto } from '../deliveries/deliveries.dto.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { AppError, noSuch, validationError } from '../errors/app-error.js';
import { validateQuery } from '../http/validation/body.pipe.js';
import { pageOf } from '../http/validation/page.dto.js';
import { DashboardMessageListDto } from '../messages/reads/account-messages.dto.js';
import { MessagesService } from '../messages/reads/messages.service.js';
import {
  itemsMax,
  type JobDto,
  type JobListDto,
  type JobPreviewDto,
  type JobResultDto,
  type JobsDto,
  type NewJobDto,
} from './jobs.dto.js';
import * as sql from './jobs.statements.js';

/** How many ids are read at once. */
const pageSize = 1_000;

/** So many are counted before somebody does something to all of them, and so many results are. */
const previewMax = 10_000;

/** For how long people can look at jobs that have ended. */
const keptDays = 90;

/** What people have done to everything that matches a filter. */
@Injectable()
export class JobsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly messages: MessagesService,
    private readonly deliveries: DeliveriesService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Keeps what matches now; a process of the API does the rest.
   * @throws AppError NOT_FOUND for another account; VALIDATION_ERROR for the filter, and where more than 100,000 match
   */
  async create(user: SignedInUser, given: NewJobDto): Promise<JobDto> {
    const { kind, account_id: accountId, without_codes, without_succeeded } = given;
    const filter = wholeFilter(given);
    const found = await this.matching(user, { kind, filter, without_succeeded });
    const ids = kind === 'resend' ? (await this.resendable(found, given)).ids : found;
    const id = newId();
    const scope = accountScope(user, accountId ?? accountOf(filter));
    return this.dataSource.transaction(async (manager) => {
      await sql.forgetEndedJob.run(manager, { days: keptDays });
      await sql.addJob.run(manager, {
        id,
        accountId: scope,
        kind,
        filter: JSON.stringify(filter),
        total: ids.length,
        userId: user.id,
        userName: user.email,
      });
      await sql.addJobItems.run(manager, { jobId: id, subjectIds: ids });
      await this.audit.record(manager, user.actor, {
        action: 'job.started',
        accountId: scope,
        subjectId: id,
        subjectName: kind,
        details: {
          filter,
          ...(without_codes && { without_codes }),
          ...(without_succeeded && { without_succeeded }),
          total: ids.length,
        },
      });
      return this.get(user, id, manager);
    });
  }

  /** @throws AppError NOT_FOUND for another account; VALIDATION_ERROR for the filter */
  async preview(user: SignedInUser, given: NewJobDto): Promise<JobPreviewDto> {
    const filter = wholeFilter(given);
    const nothing = { endpoints: [], succeeded: 0, left_out: {}, failed_by_code: {} };
    if (given.kind === 'redeliver') {
      const wanted = filterOf(DeliveryListDto, filter);
      return { ...nothing, ...(await this.deliveries.preview(user, wanted, isKept(given))) };
    }
    if (given.kind === 'cancel') {
      return { ...nothing, ...(await this.messages.count(user, messagesWanted('cancel', filter))) };
    }
    const found = await this.matching(user, { kind: 'resend', filter }, previewMax + 1);
    const judged = await this.resendable(found.slice(-previewMax), given);
    return {
      ...nothing,
      total: judged.ids.length,
      total_is_exact: found.length <= previewMax,
      left_out: judged.leftOut,
      failed_by_code: judged.byCode,
    };
  }

  /** Which of the failed a job sends again. The others are counted by why they are left out. */
  private async resendable(
    found: readonly string[],
    { without_codes: withoutCodes }: Pick<NewJobDto, 'without_codes'>,
  ) {
    const ids: string[] = [];
    const leftOut: Record<string, number> = {};
    const byCode: Record<string, number> = {};
    const count = (counts: Record<string, number>, name: string | number) => {
      counts[name] = (counts[name] ?? 0) + 1;
    };
    for (let from = 0; from < found.length; from += pageSize) {
      const rows = await sql.judgeResends.rows(this.dataSource, {
        ids: found.slice(from, from + pageSize),
      });
      for (const { id, leftOut: reason, code } of rows) {
        if (reason !== null) count(leftOut, reason);
        else {
          if (code !== null) count(byCode, code);
          if (code === null || !withoutCodes?.includes(code)) ids.push(id);
        }
      }
    }
    return { ids, leftOut, byCode };
  }

  /** @throws AppError NOT_FOUND, also for a job of another account */
  async get(user: SignedInUser, id: string, manager?: EntityManager): Promise<JobDto> {
    const given = { id, accountId: accountScope(user) };
    const job = isUUID(id) && (await sql.findJob.row(manager ?? this.dataSource, given));
    if (!job) throw noSuch('job');
    return job;
  }

  /** A job with what became of its deliveries. @throws AppError NOT_FOUND */
  async result(user: SignedInUser, id: string): Promise<JobResultDto> {
    const job = await this.get(user, id);
    const given = { jobId: job.id };
    const isOf = (kind: NewJobDto['kind']) => job.kind === kind;
    const areFew = job.total <= previewMax;
    return {
      job,
      deliveries: isOf('redeliver')
        ? await sql.countJobDeliveries.row(this.dataSource, given)
        : null,
      messages:
        isOf('resend') && areFew ? await sql.countJobMessages.row(this.dataSource, given) : null,
    };
  }

  /** @throws AppError NOT_FOUND for another account */
  async list(
    user: SignedInUser,
    { account_id: asked, limit, cursor }: JobListDto,
  ): Promise<JobsDto> {
    const rows = await sql.listJobs.rows(this.dataSource, {
      accountId: accountScope(user, asked),
      before: cursor,
      limit: limit + 1,
    });
    const { page, next_cursor } = pageOf(rows, limit);
    return { jobs: page, next_cursor };
  }

  /** What is under way at this moment is still done. @throws AppError NOT_FOUND */
  async stop(user: SignedInUser, id: string): Promise<JobDto> {
    const job = await this.get(user, id);
    return this.dataSource.transaction(async (manager) => {
      const stopped = await sql.stopJob.changed(manager, { id: job.id });
      const now = await this.get(user, id, manager);
      if (stopped > 0) {
        await this.audit.record(manager, user.actor, {
          action: 'job.stopped',
          accountId: job.account_id,
          subjectId: job.id,
          subjectName: job.kind,
          details: { done: now.done, failed: now.failed, total: now.total },
        });
      }
      return now;
    });
  }

  /** The ids of all that matches, the oldest first. */
  private async matching(
    user: SignedInUser,
    wanted: Pick<NewJobDto, 'kind' | 'filter' | 'without_succeeded'>,
    most = Number.POSITIVE_INFINITY,
  ): Promise<string[]> {
    const read = this.readerOf(user, wanted);
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null && ids.length < most; ) {
      const page: { ids: string[]; next: string | null } = await read(cursor);
      ids.push(...page.ids);
      if (ids.length > itemsMax) {
        throw validationError({ filter: 'must match at most 100,000: make it narrower' });
      }
      cursor = page.next;
    }
    return ids.toReversed();
  }

  private readerOf(
    user: SignedInUser,
    given: Pick<NewJobDto, 'kind' | 'filter' | 'without_succeeded'>,
  ) {
    const { kind, filter } = given;
    if (kind === 'redeliver') {
      const wanted = filterOf(DeliveryListDto, filter);
      return (cursor?: string) =>
        this.deliveries.idsOf(user, wanted, { limit: pageSize, cursor }, isKept(given));
    }
    const wanted = messagesWanted(kind, filter);
    return (cursor?: string) => this.messages.idsOf(user, wanted, { limit: pageSize, cursor });
  }
}

const wholeFilter = ({ filter, account_id: accountId }: NewJobDto) => ({
  ...filter,
  ...(accountId && { account_id: accountId }),
});

/** Whether a job delivers an event again that has this status. */
const isKept =
  ({ without_succeeded: withoutSucceeded }: Pick<NewJobDto, 'without_succeeded'>) =>
  ({ status }: Pick<DeliveryDto, 'status'>) =>
    !withoutSucceeded || status !== 'succeeded';

/** @throws AppError VALIDATION_ERROR */
function messagesWanted(kind: NewJobDto['kind'], filter: Record<string, unknown>) {
  const wanted = filterOf(DashboardMessageListDto, filter);
  if (kind === 'resend' && wanted.status !== 'failed') {
    throw validationError({ 'filter.status': 'must be failed' });
  }
  return wanted;
}

const accountOf = ({ account_id: id }: Record<string, unknown>) =>
  typeof id === 'string' ? id : null;

/** The filter as the list reads it from its address. @throws AppError VALIDATION_ERROR, with the fields below `filter` */
function filterOf<T extends object>(dto: new () => T, filter: Record<string, unknown>): T {
  const paging = ['limit', 'cursor', 'count'].find((name) => name in filter);
  if (paging) throw validationError({ [`filter.${paging}`]: 'is not a filter' });
  // The lists take null for a filter that is not given, and then everything matches.
  const empty = Object.keys(filter).find((name) => filter[name] === null || filter[name] === '');
  if (empty !== undefined) throw validationError({ [`filter.${empty}`]: 'must not be empty' });
  const texts = Object.entries(filter).map(([name, value]) => [
    name,
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
  ]);
  try {
    return validateQuery(dto, Object.fromEntries(texts));
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error;
    throw validationError(
      Object.fromEntries(
        Object.entries(error.fields).map(([name, fault]) => [`filter.${name}`, fault]),
      ),
    );
  }
}
