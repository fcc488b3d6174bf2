import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Mode } from '../api-keys/api-key.entity.js';
import type { MessageFailure } from './message.js';
import type { ConcludedMessage } from './message-claims.js';
import type { MessageStatus, ReportedStatus } from './message-status.js';
import { endpointToWake, tellCallersSql, toldColumns } from './status-events.js';

/** What the platform says of a message of an account. */
export interface StatusReport {
  readonly accountId: string;
  /** Whose rows it may touch; null: live and test ones. */
  readonly mode: Mode | null;
  /** Our own id, where the platform brings it back; a UUID, which may be somebody else's. */
  readonly messageId: string | null;
  readonly platformMessageId: string;
  readonly status: ReportedStatus;
  /** When it happened, as the platform says; null where it does not. */
  readonly at: Date | null;
  /** Set for `failed`. */
  readonly failure: MessageFailure | null;
  /** As the platform sends it. */
  readonly pricing: object | null;
}

/** A message that a report was about, as it stands now. */
export interface ReportedMessage extends ConcludedMessage {
  readonly before: MessageStatus;
}

interface ReportedRow extends Omit<ReportedMessage, 'status'> {
  position: number;
  /** Null: another report of the group was about the same message. */
  status: MessageStatus | null;
}

/** What the report `r` makes of a row that is in `l.status`: the rules of `statusAfterReport`. */
const afterReport = `
  case when l.status = 'failed' then
         case when r.status in ('delivered', 'read') then r.status else l.status end
       when r.status = 'failed' then
         case when l.status in ('delivered', 'read') then l.status else 'failed' end
       when array_position(array['queued', 'sending', 'unconfirmed', 'sent', 'delivered', 'read'], r.status)
          > array_position(array['queued', 'sending', 'unconfirmed', 'sent', 'delivered', 'read'], l.status)
         then r.status
       else l.status end`;

/*
 * Our own id names a message for certain; the platform's id does where the send carried none. Rows
 * are locked in the order of their ids: unsorted, two groups deadlock. A report that changes no
 * status may still bring a price, or the time of a delivery whose receipt was overtaken.
 */
const applySql = `
  with report as (
    select t.position, t.account_id, t.mode, t.message_id, t.platform_message_id, t.status,
      t.at, t.failure, t.pricing
    from unnest($1::int[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[],
      $7::timestamptz[], $8::jsonb[], $9::jsonb[])
      as t (position, account_id, mode, message_id, platform_message_id, status, at, failure, pricing)
  ), named as materialized (
    select r.*, coalesce(
      (select m.id from messages m where m.id = r.message_id and m.account_id = r.account_id
         and (r.mode is null or m.mode = r.mode)),
      (select m.id from messages m where m.platform_message_id = r.platform_message_id
         and m.account_id = r.account_id and (r.mode is null or m.mode = r.mode)
       order by m.id limit 1)) as id
    from report r
  ), locked as materialized (
    select m.id, m.status from messages m
    where m.id = any (array(select n.id from named n where n.id is not null))
    order by m.id for update
  ), target as (
    select r.*, l.status as before, ${afterReport} as after
    from named r join locked l on l.id = r.id
  ), changed as (
    update messages m set
      status = t.after,
      changes = m.changes + (t.before <> t.after)::int,
      platform_message_id = coalesce(m.platform_message_id, t.platform_message_id),
      error = case when t.before <> t.after and t.after = 'failed' then t.failure else m.error end,
      pricing = coalesce(t.pricing, m.pricing),
      sent_at = case when t.status <> 'failed'
        then coalesce(m.sent_at, least(greatest(t.at, m.created_at), clock_timestamp()))
        else m.sent_at end,
      delivered_at = case when t.status = 'delivered' then coalesce(m.delivered_at,
        least(greatest(t.at, m.sent_at, m.created_at), clock_timestamp())) else m.delivered_at end,
      read_at = case when t.status = 'read' then coalesce(m.read_at,
        least(greatest(t.at, m.delivered_at, m.sent_at, m.created_at), clock_timestamp()))
        else m.read_at end,
      failed_at = case when t.before <> t.after and t.after = 'failed'
        then least(greatest(t.at, m.sent_at, m.created_at), clock_timestamp()) else m.failed_at end
    from target t
    where m.id = t.id and m.id = any (array(select n.id from named n where n.id is not null))
    returning ${toldColumns}, t.before, t.position
  ), recorded as (
    insert into message_timeline (message_id, position, status, at, source)
    select id, changes, status, clock_timestamp(), 'webhook' from changed where before <> status
  ), steps as (
    select * from changed where before <> status
  ), ${tellCallersSql('steps')}
  select n.position, n.id, c.origin, c.status, c.before,
    case when c.status = 'failed' then c.error end as failure, ${endpointToWake} as "endpointToWake"
  from named n left join changed c on c.position = n.position
  where n.id is not null`;

/** Moves messages forward as the platform reports. */
@Injectable()
export class StatusReports {
  /**
   * Applies reports, at most one for each message, each change with its timeline and its event.
   * @returns for each report the message as it stands now, or null where it is about none of ours.
   * @throws Error when two reports are about one message: nothing may come of them then, so the
   * caller must roll back and apply them one after the other.
   */
  async apply(
    manager: EntityManager,
    reports: readonly StatusReport[],
  ): Promise<(ReportedMessage | null)[]> {
    if (reports.length === 0) return [];
    const column = <T>(pick: (report: StatusReport) => T): T[] => reports.map(pick);
    const rows: ReportedRow[] = await manager.query(applySql, [
      reports.map((_, index) => index),
      column((report) => report.accountId),
      column((report) => report.mode),
      column((report) => report.messageId),
      column((report) => report.platformMessageId),
      column((report) => report.status),
      column((report) => report.at),
      column((report) => report.failure && JSON.stringify(report.failure)),
      column((report) => report.pricing && JSON.stringify(report.pricing)),
    ]);
    if (rows.some(({ status }) => status === null)) {
      throw new Error('two reports of one group are about the same message');
    }
    const byPosition = new Map(rows.map((row) => [row.position, row as ReportedMessage]));
    return reports.map((_, index) => byPosition.get(index) ?? null);
  }
}
