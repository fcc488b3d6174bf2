import type { DataSource } from 'typeorm';
import { passingReasons } from '../campaigns/campaign.js';
import { heldText } from '../sending/restored-database.js';
import { type Finding, Findings } from './finding.js';
import * as sql from './restore-checks.statements.js';

/** Whether the database is a restored copy, and what is held because it may have been sent since the copy. */
export async function checkRestore(dataSource: DataSource): Promise<Finding[]> {
  const findings = new Findings('restore');
  const facts = await sql.findRestoreFacts.row(dataSource, { passingReasons });
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
