import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { GroupCommit } from '../database/group-commit.js';
import { noteHistory } from '../database/history/database-history.js';
import { HotStatements } from '../database/hot-statements.js';
import { LOGGER } from '../logging/logging.module.js';
import * as sql from './replay-marks.statements.js';

/** A signed request, as it is remembered. */
export interface SignedRequest {
  readonly apiKeyId: string;
  /** What was signed, in 32 bytes; the column is called `signature`. */
  readonly fingerprint: Buffer;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** A timer may fire a moment before the clock is there. */
const timerSlackMs = 5;

/**
 * Remembers signed requests, so that a recorded one cannot be sent again.
 *
 * A database that was restored, or a standby that was promoted, may have forgotten which requests were
 * used. Each has a history of its own (`database_history()`), and requests with a time-stamp from before the
 * present history are refused. The first history of an installation has no beginning: it refuses none.
 */
@Injectable()
export class ReplayMarks implements OnApplicationBootstrap {
  private readonly group = new GroupCommit<SignedRequest, boolean>({
    commit: (requests) => this.markTogether(requests),
    maxSize: 200,
  });

  constructor(
    private readonly hot: HotStatements,
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Marks a signed request as used.
   * @returns false when it was used before, or when it can no longer be known whether it was.
   * @throws when the store cannot be reached; the request must be refused then.
   */
  mark(request: SignedRequest): Promise<boolean> {
    return this.group.enqueue(request);
  }

  /**
   * Notes the database's history before the first request. Time-stamps have whole seconds: what is signed
   * in the second in which a history begins looks older than it, so that second passes first.
   */
  async onApplicationBootstrap(): Promise<void> {
    try {
      if (await noteHistory(this.dataSource))
        await delay(1_000 - (Date.now() % 1_000) + timerSlackMs);
    } catch (error) {
      this.logger.warn({ err: error }, 'the history of the used signatures was not noted');
    }
  }

  private async markTogether(requests: readonly SignedRequest[]): Promise<boolean[]> {
    const values = sql.signedInput.valuesOf(requests);
    for (;;) {
      const row = await sql.markSignatures.row(this.hot, values);
      if (row?.is_known) {
        const places = new Set(row.places);
        return requests.map((_, index) => places.has(index + 1));
      }
      await noteHistory(this.dataSource);
    }
  }
}
