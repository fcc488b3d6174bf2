import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { PeriodicWork } from '../../database/periodic-work.js';
import { LOGGER } from '../../logging/logging.module.js';
import { PlatformTemplates, type TemplateScope } from './platform-templates.js';
import { TemplateSync } from './template-sync.service.js';
import * as sql from './template-syncs.statements.js';

const syncEverySeconds = 600;

/** When a sync that failed is tried again. */
const retryAfterSeconds = 60;

/** How often accounts are looked for whose time has come; a new one waits no longer. */
const lookEverySeconds = 15;

/** The periodic sync of every active account, one account at a time. */
@Injectable()
export class TemplateSyncs implements OnModuleInit {
  private isRunning = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly work: PeriodicWork,
    private readonly platform: PlatformTemplates,
    private readonly sync: TemplateSync,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    // Not awaited: a slow platform must not hold up the rest of the periodic work.
    this.work.register('template-syncs', lookEverySeconds, () => {
      void this.runDue();
      return Promise.resolve();
    });
  }

  private async runDue(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      for (const scope of await this.due()) await this.sync.syncTemplates(scope);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not sync templates');
    } finally {
      this.isRunning = false;
    }
  }

  /** The longest waiting first. */
  private due(): Promise<TemplateScope[]> {
    return sql.findDueTemplateSyncs.rows(this.dataSource, {
      modes: this.platform.modes,
      everySeconds: syncEverySeconds,
      retrySeconds: retryAfterSeconds,
    });
  }
}
