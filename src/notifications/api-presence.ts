import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { minuteMs } from '#libs/durations';
import { LOGGER } from '../logging/logging.module.js';
import { Timers } from '../timers/timers.js';
import * as sql from './api-presence.statements.js';

const everyMs = minuteMs;

/**
 * Records by the minute whether an API process is there to take notifications. If there was none for five
 * minutes, WhatsApp may take an hour to repeat what it could not deliver; see ContactWindows.
 */
@Injectable()
export class ApiPresence implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly timers: Timers;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timers = new Timers(logger);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.note();
    this.timers.every(everyMs, 'record that the API is there', () => this.note());
  }

  onApplicationShutdown(): void {
    this.timers.stop();
  }

  /** Never rejects: a minute that is missing is made up for by the next one. */
  private async note(): Promise<void> {
    try {
      await sql.noteApiPresence.run(this.dataSource);
    } catch (error) {
      this.logger.debug({ err: error }, 'could not record that the API is there');
    }
  }
}
