import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { endpointsWithEvents } from '../events/open-events.statements.js';
import { LOGGER } from '../logging/logging.module.js';
import { Metrics } from './metrics.js';

/** What is waiting in the database; every process gets the same answer. */
interface Counts {
  readonly scheduled: number;
  readonly queued: number;
  readonly sending: number;
  readonly unconfirmed: number;
  readonly queue_age: number;
  readonly deliveries: number;
  readonly delivery_age: number;
  readonly notifications: number;
  readonly notification_age: number;
  readonly alerts: Record<string, number>;
  readonly holds: Record<string, number>;
}

/** The most events that are counted for one endpoint. */
const countedMax = 100_000;

/** Several scrapers, or an impatient one, share one query. */
const keepMs = 5_000;

/* Every part reads a partial index that holds only what is waiting. */
const countSql = `
  ${endpointsWithEvents}
  select
    (select count(*)::int from scheduled_messages where not withdrawn) as scheduled,
    (select count(*)::int from messages where status = 'queued') as queued,
    (select count(*)::int from messages where status = 'sending') as sending,
    (select count(*)::int from messages where status = 'unconfirmed') as unconfirmed,
    (select coalesce(greatest(0, extract(epoch from now() - min(next_attempt_at))), 0)::float8
       from messages where status = 'queued' and (mode = 'test'
         or account_id not in (select id from accounts where hold_kind is not null))) as queue_age,
    d.deliveries, d.delivery_age, n.notifications, n.notification_age,
    (select coalesce(json_object_agg(kind, open), '{}') from (
       select kind, count(*) as open from alerts where resolved_at is null group by kind) a) as alerts,
    (select coalesce(json_object_agg(hold_kind, held), '{}') from (
       select hold_kind, count(*) as held from accounts where hold_kind is not null
       group by hold_kind) h) as holds
  from
    (select coalesce(sum(due), 0)::int as deliveries,
       coalesce(greatest(0, extract(epoch from now() - min(oldest))), 0)::float8 as delivery_age
     from endpoint e cross join lateral (
       select count(*) as due, min(due_at) as oldest from (
         select o.due_at from open_events o
         where o.endpoint_id = e.endpoint_id and o.due_at <= now()
         order by o.due_at limit ${countedMax}) counted) c
     where e.endpoint_id is not null) d,
    (select count(*)::int as notifications,
       coalesce(greatest(0, extract(epoch from now() - min(next_attempt_at))), 0)::float8
         as notification_age
     from platform_notifications where next_attempt_at <= now()) n`;

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
        { name: 'parley_alerts_open', help: 'Open alerts.', labels: ['kind'] },
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
      const [counts]: Counts[] = await this.dataSource.query(countSql);
      return counts ?? null;
    } catch (error) {
      this.countedMs = Number.NEGATIVE_INFINITY;
      this.logger.warn({ err: error }, 'could not count what is waiting');
      return null;
    }
  }
}
