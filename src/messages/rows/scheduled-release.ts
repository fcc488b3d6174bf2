import { Injectable } from '@nestjs/common';
import { HotStatements } from '../../database/hot-statements.js';
import type { MessageFailure } from '../message.js';
import type { ConcludedMessage } from './message-conclusions.js';
import * as sql from './scheduled-release.statements.js';

const failures: Readonly<Record<string, MessageFailure>> = Object.fromEntries(
  Object.entries(sql.refusals).map(([reason, text]) => [
    reason,
    {
      code: 'MESSAGE_SEND_FAILED',
      message: `${text} It was not sent.`,
      retryable: reason === 'expired',
      platformCode: null,
      platformMessage: null,
      reason,
    } satisfies MessageFailure,
  ]),
);

/** What came of a release. */
export interface Release {
  /** Messages that are queued now. */
  readonly queued: string[];
  /** Messages that failed instead. */
  readonly failed: ConcludedMessage[];
}

/**
 * Releases scheduled messages whose time has come: at most two seconds of a number's pace ahead of what it sends, and
 * nothing while it is on hold, so that single sends go on beside 100,000 messages for the same second.
 */
@Injectable()
export class ScheduledRelease {
  constructor(private readonly statements: HotStatements) {}

  /** Releases messages. Call it again while it answers as many as its limit. */
  async release(limit: number): Promise<Release> {
    const moved = await sql.releaseScheduledMessages.rows(this.statements, {
      limit,
      failures: JSON.stringify(failures),
    });
    return {
      queued: moved.filter(({ status }) => status === 'queued').map(({ id }) => id),
      failed: moved.filter(({ status }) => status !== 'queued'),
    };
  }
}
