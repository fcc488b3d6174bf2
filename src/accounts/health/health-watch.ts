import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { WhatsAppClient } from '#libs/whatsapp';
import { PeriodicWork } from '../../database/periodic-work.js';
import { LOGGER } from '../../logging/logging.module.js';
import { answerOf } from '../../platform/platform-answer.js';
import { PlatformClients } from '../../platform/platform-clients.js';
import { factsOf } from './health-facts.js';
import { storeHealth } from './number-health.js';
import * as sql from './number-health.statements.js';

const readEverySeconds = 900;

/** The longest time for which an account without an answer delays the others. */
const timeoutMs = 10_000;

/** Reads what WhatsApp says of the number and the token of every account that is in use, one after the other. */
@Injectable()
export class HealthWatch implements OnModuleInit {
  private readonly client: WhatsAppClient;
  private isRunning = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly work: PeriodicWork,
    private readonly platform: PlatformClients,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.client = platform.open({ connections: 1, timeoutMs }).live;
  }

  onModuleInit(): void {
    // Not awaited: a slow platform must not hold up the rest of the periodic work.
    this.work.register('number-health', readEverySeconds, () => {
      void this.readAll();
      return Promise.resolve();
    });
  }

  private async readAll(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      for (const id of await this.accountsInUse()) await this.read(id);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not read the health of numbers');
    } finally {
      this.isRunning = false;
    }
  }

  private async accountsInUse(): Promise<string[]> {
    const rows = await sql.listAccountsInUse.rows(this.dataSource);
    return rows.map(({ id }) => id);
  }

  private async read(accountId: string): Promise<void> {
    try {
      const credentials = await this.platform.credentialsOf(accountId);
      const number = await this.client.getPhoneNumber(credentials);
      const token = await answerOf(this.client.inspectToken(credentials.accessToken));
      await this.dataSource.transaction((manager) =>
        storeHealth(manager, accountId, factsOf(number, token)),
      );
    } catch (error) {
      this.logger.warn({ err: error, account_id: accountId }, 'could not read a number’s health');
    }
  }
}
