import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { PeriodicWork } from './periodic-work.js';

/** Months after the current one for which partitions are ready. */
const monthsAhead = 3;

const batchMax = 5_000;

type ExpiringTable =
  | 'attempt_counters'
  | 'campaign_replays'
  | 'idempotency_keys'
  | 'inbound_media'
  | 'notification_keys'
  | 'replay_marks'
  | 'request_bodies'
  | 'template_lookups';

/** Keeps tables in shape: partitions ahead, old ones dropped, what has expired deleted. */
@Injectable()
export class Upkeep implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly work: PeriodicWork,
  ) {}

  onModuleInit(): void {
    this.work.register('partitions', 86_400, () => this.keepPartitions());
    this.work.register('old-rows', 86_400, () => this.deleteOldRows());
    this.work.register('idempotency-keys', 60, () => this.deleteExpired('idempotency_keys'));
    this.work.register('attempt-counters', 60, () => this.deleteExpired('attempt_counters'));
    this.work.register('campaign-replays', 60, () => this.deleteExpired('campaign_replays'));
    this.work.register('replay-marks', 60, () => this.deleteExpired('replay_marks'));
    this.work.register('request-bodies', 60, () => this.deleteExpired('request_bodies'));
    this.work.register('template-lookups', 60, () => this.deleteExpired('template_lookups'));
    this.work.register('notification-keys', 300, () => this.deleteExpired('notification_keys'));
    // For a month after its end, a file is answered with MEDIA_EXPIRED.
    this.work.register('uploads', 3_600, () =>
      this.deleteWhere('uploads', `expires_at <= now() - interval '30 days'`),
    );
    this.work.register('inbound-media', 3_600, () => this.deleteExpired('inbound_media'));
  }

  private async keepPartitions(): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Statements that need the table queue behind this lock, and the work can wait until tomorrow.
      await manager.query(`set local lock_timeout = '1s'`);
      await manager.query('select ensure_partitions($1)', [monthsAhead]);
      await manager.query('select drop_old_partitions($1)', [this.config.retentionDays]);
    });
  }

  /** Deletes rows older than the retention that are in no monthly partition: open events, contacts, late rows. */
  private async deleteOldRows(): Promise<void> {
    const tooOld = `now() - make_interval(days => ${this.config.retentionDays})`;
    await this.deleteWhere('open_events', `created_at < ${tooOld}`);
    await this.deleteWhere(
      'contacts',
      `active_at < ${tooOld} and not exists (
         select from contact_consents where contact_id = contacts.id or contact_id = contacts.merged_into)`,
    );
    await this.deleteWhere(
      'number_forms',
      `learnt_at < ${tooOld} and not exists (
         select from contacts c where c.account_id = number_forms.account_id and c.mode = number_forms.mode
           and c.phone in (number_forms.phone, number_forms.form))`,
    );
    // What became of a campaign outlives its messages.
    await this.deleteWhere(
      'campaigns',
      `coalesce(ended_at, created_at) < now() - make_interval(days => ${2 * this.config.retentionDays})
         and status in ('draft', 'completed', 'cancelled')`,
    );
    const tables: { name: string }[] = await this.dataSource.query(
      'select unnest(growing_tables()) as name',
    );
    for (const { name } of tables) {
      await this.deleteWhere(`${name}_other`, `id < first_id_of(${tooOld})`);
    }
  }

  private deleteExpired(table: ExpiringTable): Promise<void> {
    return this.deleteWhere(table, 'expires_at <= now()');
  }

  /** In batches, so that no lock is held for long. */
  private async deleteWhere(table: string, condition: string): Promise<void> {
    for (;;) {
      const [, deleted]: [unknown[], number] = await this.dataSource.query(
        `delete from ${table} where ctid = any (array(
           select ctid from ${table} where ${condition} limit $1 for update skip locked))`,
        [batchMax],
      );
      if (deleted < batchMax) return;
    }
  }
}
