import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { raiseAlert, resolveAlert } from '../alerts/alerts.js';
import { PeriodicWork } from '../database/periodic-work.js';
import * as sql from './unconfirmed-watch.statements.js';

const lookEverySeconds = 60;

/** WhatsApp usually reports within seconds; a message without a report by then may need attention. */
const ageMinSeconds = 300;

/** This many more than at the last alert raise another one. */
const growth = 10;

const text =
  'messages have been unconfirmed for more than five minutes: WhatsApp may have them and has ' +
  'not reported. Check that its notifications arrive. Send urgent messages again from the dashboard.';

/** Alerts operators when messages stay unconfirmed. */
@Injectable()
export class UnconfirmedWatch implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly work: PeriodicWork,
  ) {}

  onModuleInit(): void {
    this.work.register('unconfirmed-messages', lookEverySeconds, () => this.look());
  }

  /**
   * One alert for each account with ten or more. While it is open, its count is kept up to date. If it is resolved by
   * hand, ten more raise it again. With fewer than ten it is resolved, and the next ten raise it.
   */
  async look(): Promise<void> {
    const accounts = await sql.countUnconfirmed.rows(this.dataSource, {
      ageSeconds: ageMinSeconds,
    });
    for (const { accountId, count, openCount, resolvedCount } of accounts) {
      const alert = { accountId, kind: 'unconfirmed_messages', subject: 'messages' } as const;
      const isDue = count >= Math.min(resolvedCount, count) + growth;
      if (openCount !== null && count < growth) {
        await resolveAlert(this.dataSource, alert, { count: 0 });
      } else if (openCount === null ? isDue : openCount !== count) {
        await raiseAlert(this.dataSource, {
          ...alert,
          message: `${count} ${text}`,
          details: { count },
        });
      }
    }
  }
}
