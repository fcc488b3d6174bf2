import { Injectable } from '@nestjs/common';

/** The timeline of the server that runs the statement: eight hexadecimal digits. A promotion changes them. */
export const timelineSql = 'substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)';

/** How far the log goes, and on which timeline. In a statement that writes, its own commit comes after it. */
export const logEndSql = `${timelineSql} || '/' || pg_current_wal_insert_lsn()`;

/** What this process knows of the database's log: the timeline that it follows, and how far it saw it committed. */
@Injectable()
export class DatabaseTimeline {
  /** Null before the first look. */
  current: string | null = null;
  /** The highest position that a committed statement has answered. */
  private highest = 0n;

  /**
   * Positions on another timeline say nothing of this one.
   * @param logEnd as `logEndSql` answers it, of a statement that has been committed.
   */
  note(logEnd: string | null | undefined): void {
    if (!logEnd) return;
    const [timeline, high = '', low = ''] = logEnd.split('/');
    if (timeline !== this.current) return;
    const value = (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
    if (value > this.highest) this.highest = value;
  }

  /** As PostgreSQL writes it; null where nothing was seen. */
  get highestSeen(): string | null {
    if (this.highest === 0n) return null;
    const hex = (value: bigint) => value.toString(16).toUpperCase();
    return `${hex(this.highest >> 32n)}/${hex(this.highest & 0xffffffffn)}`;
  }

  /** Follows another timeline, of which nothing has been seen yet. */
  follow(timeline: string): void {
    this.current = timeline;
    this.highest = 0n;
  }
}
