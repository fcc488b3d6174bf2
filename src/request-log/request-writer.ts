import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { answeredBy, isDataError } from '../database/store-errors.js';
import { LOGGER } from '../logging/logging.module.js';
import { Metrics } from '../metrics/metrics.js';
import { Timers } from '../timers/timers.js';
import type { LoggedRequest } from './logged-request.js';
import { type KeptBody, RequestBodies } from './request-bodies.js';
import { RequestBuffer, type StrangersRequest } from './request-buffer.js';
import { RequestRows } from './request-rows.js';

const writeEveryMs = 1_000;

/** How long a process that stops waits for a database that does not answer. */
const lastWriteMaxMs = 5_000;

/** Bodies that wait: no more are kept in a second, so that a busy key cannot fill the disk within its hour. */
const bodiesMax = 20;

/** Rows of one statement. */
const groupMax = 500;

/**
 * Gathers requests in memory and writes them in groups. Nobody waits for it: while the database fails or is slow,
 * requests are kept as long as there is room, then the oldest are given up and counted.
 */
@Injectable()
export class RequestWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly buffer: RequestBuffer;
  private bodies: KeptBody[] = [];
  private readonly timers: Timers;
  private writing: Promise<void> | null = null;
  private isFailing = false;

  constructor(
    private readonly rows: RequestRows,
    private readonly keptBodies: RequestBodies,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timers = new Timers(logger);
    this.buffer = new RequestBuffer((requests) => this.metrics.droppedRequests.inc(requests));
  }

  onApplicationBootstrap(): void {
    this.timers.every(writeEveryMs, 'write the request log', () => this.flush());
  }

  /** Writes all requests that were answered until now, if the database takes them. */
  async onApplicationShutdown(): Promise<void> {
    this.timers.stop();
    const rest = (this.writing ?? Promise.resolve()).then(() => this.flush());
    await answeredBy(performance.now() + lastWriteMaxMs, rest).catch(() => {});
    const { size } = this.buffer;
    if (size > 0) this.logger.warn({ rows: size }, 'the request log lacks the last requests');
  }

  add(request: LoggedRequest): void {
    this.buffer.add(request);
  }

  addStranger(request: StrangersRequest): void {
    this.buffer.addStranger(request);
  }

  get hasRoomForBody(): boolean {
    return this.bodies.length < bodiesMax;
  }

  addBody(body: KeptBody): void {
    this.bodies.push(body);
  }

  /** Writes what waits, up to the first failure. Never rejects. A second call waits for the first. */
  flush(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => {
      this.writing = null;
    });
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    // Before their requests, so that a request that is in the log has its body.
    if (this.bodies.length > 0) await this.writeBodies();
    // Those that come meanwhile wait for the next time, or a slow database would get many small groups.
    for (let left = this.buffer.size; left > 0; left -= groupMax) {
      const group = this.buffer.take(Math.min(left, groupMax));
      try {
        await this.rows.insert(group);
        this.isFailing = false;
      } catch (error) {
        this.giveBack(group, error);
        return;
      }
    }
  }

  /** A body that could not be written is given up: it is a help, and its request is in the log without it. */
  private async writeBodies(): Promise<void> {
    const { bodies } = this;
    this.bodies = [];
    try {
      await this.keptBodies.insert(bodies);
    } catch (error) {
      this.logger.warn({ err: error, bodies: bodies.length }, 'bodies could not be kept');
    }
  }

  private giveBack(group: readonly LoggedRequest[], error: unknown): void {
    if (isDataError(error)) {
      this.metrics.droppedRequests.inc(group.length);
      this.logger.error({ err: error }, 'requests could not be logged');
      return;
    }
    this.buffer.takeBack(group);
    if (this.isFailing) return;
    this.isFailing = true;
    this.logger.warn({ err: error }, 'could not write the request log; trying again');
  }
}
