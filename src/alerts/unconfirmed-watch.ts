import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { raiseAlert, resolveAlert } from '../alerts/alerts.js';
import { PeriodicWork } from '../database/periodic-work.js';

const lookEverySeconds = 60;

/** WhatsApp usually reports within seconds; a message without a report by then may need attention. */
const ageMinSeconds = 300;

/** This many more than at the last alert raise another one. */
const growth = 10;

/**
 * One alert for each account with a growing number of unconfirmed messages. While it is open, its count
 * is kept up to date. If it is resolved by hand, that many more raise it again. When no message is
 * unconfirmed any more, it is closed.
 */
const alertSql = `
  with counted as (
    select account_id, count(*)::int as count from messages
    where status = 'unconfirmed' and coalesce(queued_at, created_at) < now() - make_interval(secs => $1)
    group by account_id
  ), alerted as (
    select distinct on (account_id) account_id, (details->>'count')::int as count
    from alerts where kind = 'unconfirmed_messages' and resolved_at is not null
    order by account_id, id desc
  ), followed as (
    update alerts a set details = jsonb_build_object('count', c.count),
      message = format($3, c.count)
    from counted c
    where a.account_id = c.account_id and a.kind = 'unconfirmed_messages' and a.resolved_at is null
      and c.count >= $2
  ), ended as (
    update alerts a set details = jsonb_build_object('count', 0)
    where a.kind = 'unconfirmed_messages' and a.resolved_at is null
      and coalesce((select c.count from counted c where c.account_id = a.account_id), 0) < $2
    returning a.account_id
  )
  select account_id, 0 as count from ended
  union all
  select c.account_id, c.count from counted c left join alerted t on t.account_id = c.account_id
  where c.count >= least(coalesce(t.count, 0), c.count) + $2
    and not exists (select from alerts a where a.account_id = c.account_id
      and a.kind = 'unconfirmed_messages' and a.resolved_at is null)`;

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
    const changed: { account_id: string; count: number }[] = await this.dataSource.query(alertSql, [
      ageMinSeconds,
      growth,
      text,
    ]);
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
