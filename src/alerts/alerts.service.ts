import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { dayMs } from '#libs/durations';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { AuditLog, changesBetween } from '../audit/audit-log.js';
import { AppError, noSuch, validationError } from '../errors/app-error.js';
import { isGiven, timeOf } from '../http/validation/rules.js';
import type { AlertChangeDto, AlertDto, AlertListDto } from './alerts.dto.js';
import * as sql from './alerts.statements.js';

const listMax = 100;
const muteMaxDays = 30;

/** What needs attention. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  /** The newest first. @throws AppError NOT_FOUND for another account */
  list(user: SignedInUser, { account_id, state }: AlertListDto): Promise<AlertDto[]> {
    return sql.listAlerts.rows(this.dataSource, {
      accountId: accountScope(user, account_id),
      state,
      limit: listMax,
    });
  }

  /**
   * Gives an alert an owner, mutes it, or ends that.
   * @throws AppError NOT_FOUND, VALIDATION_ERROR, CONFLICT for an alert that is resolved
   */
  async update(user: SignedInUser, id: string, given: AlertChangeDto): Promise<AlertDto> {
    if (given.owner_id === undefined && given.muted_until === undefined) {
      throw validationError({ owner_id: 'is required without muted_until' });
    }
    const mutedUntil = timeOf(given.muted_until);
    if (mutedUntil && mutedUntil.getTime() > Date.now() + muteMaxDays * dayMs) {
      throw validationError({ muted_until: `must be at most ${muteMaxDays} days ahead` });
    }
    return this.dataSource.transaction(async (manager) => {
      const owner = isGiven(given.owner_id)
        ? await sql.lockOwner.row(manager, { id: given.owner_id })
        : undefined;
      const before = await this.lock(manager, user, id);
      if (before.resolved_at) {
        throw new AppError('CONFLICT', { message: 'This alert is resolved already.' });
      }
      if (owner !== undefined) checkOwner(owner, before.account_id);
      const after = await sql.updateAlert.row(manager, {
        id,
        ownerId: given.owner_id === undefined ? before.owner?.id : given.owner_id,
        mutedUntil: given.muted_until === undefined ? before.muted_until : mutedUntil,
      });
      if (!after) throw noSuch('alert');
      await this.audit.record(manager, user.actor, {
        action: 'alert.updated',
        accountId: after.account_id,
        subjectId: after.id,
        subjectName: after.kind,
        details: changesBetween(changeable(before), changeable(after)),
      });
      return after;
    });
  }

  /**
   * Dismisses an alert. If its cause occurs again, so does the alert.
   * @throws AppError NOT_FOUND
   */
  async resolve(user: SignedInUser, id: string): Promise<AlertDto> {
    return this.dataSource.transaction(async (manager) => {
      const before = await this.lock(manager, user, id);
      if (before.resolved_at) return before;
      const resolved = await sql.resolveAlertById.row(manager, { id });
      await this.audit.record(manager, user.actor, {
        action: 'alert.resolved',
        accountId: before.account_id,
        subjectId: before.id,
        subjectName: before.kind,
      });
      return resolved ?? before;
    });
  }

  /** @throws AppError NOT_FOUND */
  private async lock(manager: EntityManager, user: SignedInUser, id: string): Promise<AlertDto> {
    const alert = isUUID(id)
      ? await sql.lockAlert.row(manager, { id, accountId: accountScope(user) })
      : null;
    if (!alert) throw noSuch('alert');
    return alert;
  }
}

/** @throws AppError VALIDATION_ERROR for a user who does not see the account */
function checkOwner(owner: Awaited<ReturnType<typeof sql.lockOwner.row>>, accountId: string): void {
  const sees = owner?.active && (owner.role === 'operator' || owner.account_id === accountId);
  if (!sees) {
    throw validationError({ owner_id: 'is not the id of an active user who may see the account' });
  }
}

const changeable = ({ owner, muted_until }: AlertDto) => ({
  owner: owner?.email ?? null,
  muted_until,
});
