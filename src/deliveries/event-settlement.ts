import { Injectable } from '@nestjs/common';
import type { Permission } from '../access/permissions.js';
import { keepEndedAlert } from '../alerts/alerts.js';
import { Config } from '../config/config.js';
import { GroupCommit } from '../database/group-commit.js';
import { HotStatements } from '../database/hot-statements.js';
import { endpointWords } from '../endpoints/endpoint.entity.js';
import { isRemembered, isSpent } from '../endpoints/endpoint-health.js';
import { forgetFailures } from '../events/endpoint-events.statements.js';
import * as sql from './event-settlement.statements.js';

/** One attempt at an endpoint, as it goes into the log. */
export interface Attempt {
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Null when there was no answer. */
  readonly statusCode: number | null;
  /** The first 1 KiB of the answer. */
  readonly response: string | null;
  /** The address that it called. */
  readonly url: string;
}

/** An event that was delivered. */
export interface DeliveredEvent extends Attempt {
  readonly id: string;
  /** The number of the attempt, from 1. */
  readonly number: number;
}

/** An attempt that failed. */
export interface FailedAttempt extends Attempt {
  readonly id: string;
  readonly endpointId: string;
  readonly error: string;
  /** When the next attempt may start, from now; null: none is made. */
  readonly retryInMs: number | null;
  /** The endpoint wants no further attempts, even if the schedule has some. */
  readonly isFinal: boolean;
}

/** What became of an event whose attempt failed. */
export interface FailureOutcome {
  /** When the event is due again, by PostgreSQL's clock; null when it was given up or is gone. */
  readonly dueMs: number | null;
  /** Whether the endpoint has failed for so long that it is to be switched off. */
  readonly isEndpointSpent: boolean;
}

const groupMaxSize = 200;
const giveUpBatch = 5_000;

/**
 * Writes the results of attempts, in groups. Its commits do not wait for the disk: a success that a
 * crash takes back is delivered once more, with the same id.
 */
@Injectable()
export class EventSettlement {
  private readonly delivered: GroupCommit<DeliveredEvent, void>;
  private readonly failed: GroupCommit<FailedAttempt, FailureOutcome>;

  constructor(
    private readonly statements: HotStatements,
    private readonly config: Config,
  ) {
    this.delivered = new GroupCommit({
      commit: (events) => this.writeDelivered(events),
      maxSize: groupMaxSize,
    });
    this.failed = new GroupCommit({
      commit: (attempts) => this.writeFailed(attempts),
      maxSize: groupMaxSize,
    });
  }

  /** Moves a delivered event to the log. */
  finish(event: DeliveredEvent): Promise<void> {
    return this.delivered.enqueue(event);
  }

  /** Puts an event off until its next try, or gives it up when its tries are used up. */
  fail(attempt: FailedAttempt): Promise<FailureOutcome> {
    return this.failed.enqueue(attempt);
  }

  /**
   * Gives up an event if the key of its endpoint may not read it.
   * @returns false where the key has the permission again: the event waits as before.
   */
  async withhold(id: string, permission: Permission): Promise<boolean> {
    return (await sql.withholdEvent.row(this.statements, { id, permission })) !== null;
  }

  /** The endpoint works again: failures before this say nothing about it. A long trouble is kept among the alerts. */
  async forgetFailures(endpointId: string): Promise<void> {
    const trouble = await forgetFailures.row(this.statements.lazily, { endpointId });
    if (!trouble || !isRemembered(trouble.failures, trouble.seconds)) return;
    const { accountId, apiKeyId, name, keyName, failures, since } = trouble;
    await keepEndedAlert(this.statements.lazily, {
      accountId,
      kind: 'endpoint_failed',
      subject: endpointId,
      message: `${endpointWords(name, keyName)} failed. It works again.`,
      details: { api_key_id: apiKeyId, endpoint_id: endpointId, failures },
      since,
    });
  }

  /**
   * Gives up everything that waits for an endpoint that is switched off or gone.
   * @returns false where it is neither: nothing was given up.
   */
  async giveUpAll(endpointId: string): Promise<boolean> {
    for (;;) {
      const row = await sql.giveUpEvents.row(this.statements, { endpointId, limit: giveUpBatch });
      if (!row?.isUnusable) return false;
      if (row.count < giveUpBatch) return true;
    }
  }

  private async writeDelivered(events: readonly DeliveredEvent[]): Promise<void[]> {
    await sql.finishEvents.run(this.statements.lazily, sql.deliveredInput.valuesOf(events));
    return events.map(() => undefined);
  }

  private async writeFailed(attempts: readonly FailedAttempt[]): Promise<FailureOutcome[]> {
    const input = attempts.map((attempt) => ({
      ...attempt,
      retryInMs: attempt.retryInMs ?? this.lastRetryMs,
    }));
    const rows = await sql.failEvents.rows(this.statements.lazily, {
      ...sql.failedInput.valuesOf(input),
      triesMax: this.config.webhookRetrySeconds.length + 1,
    });
    const byId = new Map(
      rows.map(({ id, dueMs, failures, failingHours }) => [
        id,
        { dueMs, isEndpointSpent: isSpent(failures, failingHours) },
      ]),
    );
    const gone = { dueMs: null, isEndpointSpent: false };
    return attempts.map(({ id }) => byId.get(id) ?? gone);
  }

  /** For an event whose redelivery was requested while its last try was under way. */
  private get lastRetryMs(): number {
    return (this.config.webhookRetrySeconds[0] ?? 0) * 1_000;
  }
}
