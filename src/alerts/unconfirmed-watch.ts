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
  '%s messages have been unconfirmed for more than five minutes: WhatsApp may have them and has ' +
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

  /** Opens, follows and ends the alerts. */
  async look(): Promise<void> {
    const changed = await sql.followUnconfirmed.rows(this.dataSource, {
      ageSeconds: ageMinSeconds,
      growth,
      text,
    });
    for (const { account_id, count } of changed) {
      const alert = {
        accountId: account_id,
        kind: 'unconfirmed_messages',
        subject: 'messages',
      } as const;
      if (count === 0) {
        await resolveAlert(this.dataSource, alert);
        continue;
      }
      await raiseAlert(this.dataSource, {
        ...alert,
        message: text.replace('%s', String(count)),
        details: { count },
      });
    }
  }
}
