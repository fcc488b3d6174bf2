import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { LOGGER } from '../../logging/logging.module.js';
import type { TemplateScope } from './platform-templates.js';
import * as sql from './template-lookups.statements.js';
import { TemplateSync } from './template-sync.service.js';

/** How long the platform is not asked again for the same name. */
const askEverySeconds = 60;

/** The most unknown names of an account asked for in that time: typos of a caller must not use up the limit there. */
const namesMax = 20;

/** The names that the platform accepts. */
const nameForm = /^[a-z0-9_]{1,512}$/;

/** Asks the platform for a template that a send names and Parley does not know, once a minute at most. */
@Injectable()
export class TemplateLookups {
  private readonly asking = new Map<string, Promise<void>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly sync: TemplateSync,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Asks for the name, unless that was done within the last minute. Afterwards the template may be known. */
  ask(scope: TemplateScope, name: string): Promise<void> {
    if (!nameForm.test(name)) return Promise.resolve();
    const key = `${scope.accountId} ${scope.mode} ${name}`;
    let asking = this.asking.get(key);
    if (!asking) {
      asking = this.askOnce(scope, name).finally(() => this.asking.delete(key));
      this.asking.set(key, asking);
    }
    return asking;
  }

  private async askOnce(scope: TemplateScope, name: string): Promise<void> {
    if (!(await this.isFree(scope, name))) return;
    try {
      await this.sync.refresh(scope, name);
    } catch (error) {
      this.logger.warn(
        { err: error, account_id: scope.accountId },
        'could not ask the platform for a template',
      );
    }
  }

  private async isFree({ accountId, mode }: TemplateScope, name: string): Promise<boolean> {
    const seconds = askEverySeconds;
    const given = { accountId, mode, name, seconds, namesMax };
    return (await sql.takeTemplateLookup.row(this.dataSource, given)) !== null;
  }
}
