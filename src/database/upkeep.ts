import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { PeriodicWork } from './periodic-work.js';
import * as sql from './upkeep.statements.js';

/** Months after the current one for which partitions are ready. */
const monthsAhead = 3;

const batchMax = 5_000;

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
      this.delete({ table: 'uploads', condition: sql.isExpiredForMonth }),
    );
    this.work.register('inbound-media', 3_600, () => this.deleteExpired('inbound_media'));
  }

  private async keepPartitions(): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Statements that need the table queue behind this lock, and the work can wait until tomorrow.
      await manager.query(`set local lock_timeout = '1s'`);
      await sql.ensurePartitions.run(manager, { monthsAhead });
      await sql.dropOldPartitions.run(manager, { retentionDays: this.config.retentionDays });
    });
  }

  /** Deletes rows older than the retention that are in no monthly partition: open events, contacts, late rows. */
  private async deleteOldRows(): Promise<void> {
    const { retentionDays } = this.config;
    for (const rows of sql.oldRows(retentionDays)) await this.delete(rows);
    for (const { name } of await sql.listGrowingTables.rows(this.dataSource)) {
      await this.delete(sql.lateRows(name, retentionDays));
    }
  }

  private deleteExpired(table: sql.ExpiringTable): Promise<void> {
    return this.delete({ table, condition: sql.isExpired });
  }

  /** In batches, so that no lock is held for long. */
  private async delete(rows: sql.EndedRows): Promise<void> {
    const deletion = sql.deleteRows.of(rows);
    while ((await deletion.changed(this.dataSource, { limit: batchMax })) === batchMax);
  }
}
