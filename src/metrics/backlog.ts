import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { Row } from '../database/statements/statement.js';
import { LOGGER } from '../logging/logging.module.js';
import * as sql from './backlog.statements.js';
import { Metrics } from './metrics.js';

type Counts = Row<typeof sql.countWaiting>;

/** Several scrapers, or an impatient one, share one query. */
const keepMs = 5_000;

const unlabelled = (name: string, help: string) => ({ name, help, labels: [] });

/**
 * What waits in the database, for alarms and for the number of workers. Each worker reports the same;
 * a dashboard takes the maximum. Without the database only these values are missing.
 */
@Injectable()
export class Backlog implements OnModuleInit {
  private counting: Promise<Counts | null> = Promise.resolve(null);
  private countedMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges(
      [
        { name: 'parley_messages', help: 'Messages in a passing status.', labels: ['status'] },
        {
          name: 'parley_alerts_open',
          help: 'Open alerts, those that are muted too.',
          labels: ['kind'],
        },
        { name: 'parley_numbers_on_hold', help: 'Business numbers on hold.', labels: ['kind'] },
      ],
      async ([messages, alerts, holds]) => {
        const counts = await this.counts();
        if (!counts) return;
        messages?.set({ status: 'scheduled' }, counts.scheduled);
        messages?.set({ status: 'queued' }, counts.queued);
        messages?.set({ status: 'sending' }, counts.sending);
        messages?.set({ status: 'unconfirmed' }, counts.unconfirmed);
        for (const [kind, open] of Object.entries(counts.alerts)) alerts?.set({ kind }, open);
        for (const [kind, held] of Object.entries(counts.holds)) holds?.set({ kind }, held);
      },
    );
    this.metrics.gauges(
      [
        unlabelled(
          'parley_queue_oldest_due_seconds',
          'How long the oldest message that a worker may claim has been due.',
        ),
        unlabelled('parley_webhook_deliveries_due', 'Deliveries that are due.'),
        unlabelled(
          'parley_webhook_oldest_due_seconds',
          'How long the oldest delivery has been due.',
        ),
        unlabelled(
          'parley_notifications_due',
          'Notifications from WhatsApp that are not processed yet.',
        ),
        unlabelled(
          'parley_notifications_oldest_due_seconds',
          'How long the oldest notification has been due.',
        ),
      ],
      async ([queueAge, deliveries, deliveryAge, notifications, notificationAge]) => {
        const counts = await this.counts();
        if (!counts) return;
        queueAge?.set(counts.queue_age);
        deliveries?.set(counts.deliveries);
        deliveryAge?.set(counts.delivery_age);
        notifications?.set(counts.notifications);
        notificationAge?.set(counts.notification_age);
      },
    );
  }

  /** Null while the database cannot be reached. */
  private counts(): Promise<Counts | null> {
    const now = performance.now();
    if (now - this.countedMs >= keepMs) {
      this.countedMs = now;
      this.counting = this.count();
    }
    return this.counting;
  }

  private async count(): Promise<Counts | null> {
    try {
      return await sql.countWaiting.row(this.dataSource);
    } catch (error) {
      this.countedMs = Number.NEGATIVE_INFINITY;
      this.logger.warn({ err: error }, 'could not count what is waiting');
      return null;
    }
  }
}
