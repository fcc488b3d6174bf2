import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isInPresentHistorySql } from '../../database/history/database-history.js';
import { type HotStatement, HotStatements } from '../../database/hot-statements.js';
import { cancelCampaignMessages } from './campaign-messages.js';
import { type ConcludedMessage, MessageConclusions } from './message-conclusions.js';
import { expired, expireSql } from './message-endings.js';
import { logWith, statusEntries } from './message-history.js';
import { moveScheduledSql } from './scheduled-rows.js';
import { endpointsToWake, insertStatusEventsSql, toldColumns } from './status-events.js';

/** Tried or not: what is queued is with nobody. A claim that comes first makes it `sending`. */
const cancelStatement = {
  name: 'cancel-message',
  text: `
  with changed as (
    update messages m set status = 'cancelled', log = ${logWith(
      statusEntries({ status: `'cancelled'`, at: 'clock_timestamp()', source: 'api' }),
    )}
    where m.id = $1 and m.status || '' = 'queued'
    returning ${toldColumns}, 'queued' as before
  ), ${insertStatusEventsSql('changed')}
  select c.id, c.origin, c.status, null::jsonb as failure, ${endpointsToWake} as "endpointsToWake",
    c.fallback_for as "fallbackFor"
  from changed c`,
};

const cancelScheduledStatement = {
  name: 'cancel-scheduled-message',
  text: `with ${moveScheduledSql(
    `
    select id, 'cancelled' as status, null::jsonb as error, false as is_replaced
    from scheduled_messages where id = $1 and not withdrawn for update`,
    'api',
  )}`,
};

/**
 * A claim may have begun in time and be committed only now: this waits for it, and leaves it alone. The other way round
 * the claim finds that the message is no longer queued. A message that is older than the present history of the
 * database is left alone, too: the history may have forgotten its claim.
 */
const expireStatement = {
  name: 'expire-message',
  text: `with ${expireSql(
    'api',
    `where m.id = $1 and m.status || '' = 'queued' and ($3 or m.expires_at <= clock_timestamp())
      and ${isInPresentHistorySql('m.created_at')}`,
  )}`,
};

/** Takes back what no worker has in hand. */
@Injectable()
export class MessageCancellation {
  constructor(
    private readonly statements: HotStatements,
    private readonly conclusions: MessageConclusions,
  ) {}

  /** @returns whether it was scheduled or queued, and so will never be sent. */
  async cancel(id: string): Promise<boolean> {
    // In this order: a message that is released meanwhile is queued when the second one looks.
    return (
      (await this.run(cancelScheduledStatement, [id])) || (await this.run(cancelStatement, [id]))
    );
  }

  /**
   * Ends a message that no worker has in hand: from now on none will.
   * @param isEarly whether it ends before its time is over.
   */
  async expire(id: string, isEarly: boolean): Promise<void> {
    await this.run(expireStatement, [id, JSON.stringify(expired), isEarly]);
  }

  /**
   * Cancels what is queued of a campaign, in the transaction that cancels the campaign.
   * @returns a function that tells of it after the commit.
   */
  async cancelCampaign(manager: EntityManager, campaignId: string): Promise<() => void> {
    const cancelled = await cancelCampaignMessages(manager, campaignId);
    return () => {
      for (const message of cancelled) this.conclusions.publish(message);
    };
  }

  private async run(statement: HotStatement, values: unknown[]): Promise<boolean> {
    const [concluded] = await this.statements.run<ConcludedMessage>(statement, values);
    if (concluded) this.conclusions.publish(concluded);
    return concluded !== undefined;
  }
}
