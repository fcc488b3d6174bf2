import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { HotStatements } from '../../database/hot-statements.js';
import type { MessageFailure } from '../message.js';
import type { ConcludedMessage } from './message-conclusions.js';
import * as sql from './message-endings.statements.js';

/**
 * Declares unconfirmed what may have been sent since a copy was made: scheduled messages whose time has come,
 * and everything that is queued or being sent. Call it again while it holds as many as its limit.
 * @param before when the history of the copy began; what was created later is its own.
 * @returns how many of each account.
 */
export async function holdMessages(
  manager: EntityManager,
  limit: number,
  before: string,
): Promise<{ accountId: string; count: number }[]> {
  const held: { accountId: string; count: number }[] = [];
  let left = limit;
  for (const statement of [sql.holdScheduled, sql.holdQueued, sql.holdSending]) {
    if (left === 0) break;
    const counts = await statement.rows(manager, { limit: left, before });
    held.push(...counts);
    left -= counts.reduce((sum, { count }) => sum + count, 0);
  }
  return held;
}

/** Why a message failed that nobody could send in time. */
export const expired: MessageFailure = {
  code: 'MESSAGE_SEND_FAILED',
  message: 'No worker could send the message in time. It was not sent.',
  retryable: true,
  platformCode: null,
  platformMessage: null,
  reason: 'expired',
};

/** Settles rows that no worker will: those claimed by dead workers, and those that could not be tried in time. */
@Injectable()
export class MessageEndings {
  constructor(private readonly statements: HotStatements) {}

  /** Declares leases over. Call it again while it returns as many rows as its limit. */
  async endLeases(limit: number): Promise<ConcludedMessage[]> {
    return sql.endLeases.rows(this.statements, { limit });
  }

  /**
   * Declares unconfirmed what the database may have forgotten that it was sent. Call it again while it returns
   * as many rows as its limit. Rows that another worker ends are waited for, so that none is left when it returns fewer.
   * @param before when the database's history went back, by its clock.
   */
  async endForgotten(limit: number, before: string): Promise<ConcludedMessage[]> {
    const scheduled = await sql.endForgottenScheduled.rows(this.statements, { limit, before });
    if (scheduled.length === limit) return scheduled;
    const left = limit - scheduled.length;
    const queued = await sql.endForgotten.rows(this.statements, { limit: left, before });
    return [...scheduled, ...queued];
  }

  /** Fails rows that no try may start for any more. */
  async expire(limit: number): Promise<ConcludedMessage[]> {
    const failure = JSON.stringify(expired);
    return sql.expireMessages.rows(this.statements, { limit, failure });
  }
}
