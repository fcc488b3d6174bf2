import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { PeriodicWork } from '../database/periodic-work.js';
import { RequestRows } from './request-rows.js';

/** Keeps the days of the request log: the next ones ready, old ones dropped. */
@Injectable()
export class RequestUpkeep implements OnModuleInit {
  constructor(
    private readonly rows: RequestRows,
    private readonly config: Config,
    private readonly work: PeriodicWork,
  ) {}

  onModuleInit(): void {
    this.work.register('request-log', 3_600, () => this.rows.keepDays(this.config.requestLogDays));
  }
}
