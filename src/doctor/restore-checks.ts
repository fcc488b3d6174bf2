import type { DataSource } from 'typeorm';
import { passingReasons } from '../campaigns/campaign.js';
import { goesOnSql } from '../campaigns/restored-campaigns.statements.js';
import { heldText } from '../sending/restored-database.js';
import { type Finding, Findings } from './finding.js';

interface Facts {
  /** Whether no worker has looked at this database, or none that vouches for it. */
  is_open: boolean;
  /** When everything was held that may have been sent since the copy; null where nothing had to be. */
  held_at: Date | null;
  /** Messages and campaigns that wait for somebody's decision. */
  messages: number;
  campaigns: number;
  /** Messages and campaigns that workers would hold. */
  messages_to_hold: number;
  campaigns_to_hold: number;
}

const factsSql = `
  with present as (
    select h.*, coalesce(h.began_at, clock_timestamp()) as at
    from (select) one left join database_histories h on h.history = database_history()
  )
  select case when p.history is null then exists (select from database_histories)
      else p.began_at <> '-infinity' and p.witnessed_at is null and p.held_at is null and p.lost_since is null
    end as is_open, p.held_at,
    (select count(*)::int from messages m where m.status = 'unconfirmed' and m.created_at < p.at) as messages,
    (select count(*)::int from campaigns c where c.status = 'paused' and c.reason = 'restored') as campaigns,
    (select count(*)::int from messages m where m.status = 'queued' and m.created_at < p.at)
      + (select count(*)::int from messages m where m.status = 'sending' and m.created_at < p.at)
      + (select count(*)::int from scheduled_messages s where s.send_at <= p.at and s.created_at < p.at
          and not s.withdrawn) as messages_to_hold,
    (select count(*)::int from campaigns c where ${goesOnSql('p.at', '$1::text[]')}) as campaigns_to_hold
  from present p`;

/** Whether the database is a restored copy, and what is held because it may have been sent since the copy. */
export async function checkRestore(dataSource: DataSource): Promise<Finding[]> {
  const findings = new Findings('restore');
  const [facts]: Facts[] = await dataSource.query(factsSql, [passingReasons]);
  if (!facts) return findings.list;
  if (facts.is_open) {
    findings.warn(
      `the database is a copy, or a standby took over. If no worker knew it before, workers make ${facts.messages_to_hold} ` +
        `messages unconfirmed and pause ${facts.campaigns_to_hold} campaigns 20 s after the start`,
    );
  } else if (facts.held_at && facts.messages + facts.campaigns > 0) {
    findings.warn(
      `the database was restored: ${heldText(facts)}. ` +
        'Resume or cancel the campaigns, and resend messages that are urgent',
    );
  } else findings.ok('nothing is held that may have been sent since a copy was made');
  return findings.list;
}
