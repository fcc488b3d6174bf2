import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { formsOf } from '../../contacts/forms/number-forms.js';
import { optOutOf } from '../../contacts/opt-out-of-message.js';
import { LOGGER } from '../../logging/logging.module.js';
import type { MessageFailure } from '../message.js';
import { type ConcludedMessage, MessageConclusions } from './message-conclusions.js';
import { logWith, statusEntries } from './message-history.js';
import { moveScheduledSql } from './scheduled-rows.js';
import { endpointsToWake, insertStatusEventsSql, toldColumns } from './status-events.js';

const optedOut: MessageFailure = {
  code: 'MESSAGE_SEND_FAILED',
  message: 'The recipient has opted out of such messages. It was not sent.',
  retryable: false,
  platformCode: null,
  platformMessage: null,
  reason: 'opted_out',
};

/** Keeps the planner off the indexes of the bare column `status`, which are long in a backlog. */
const isQueued = `m.status || '' = 'queued'`;

/**
 * Messages to contacts, by whatever number or id of theirs.
 * @param condition of the rows `m` of the table.
 */
const messagesToSql = (table: string, condition: string) => `
  select m.id from contacts c join ${table} m on m.account_id = c.account_id and m.mode = c.mode
    and m.recipient = any (${formsOf('c', 'c.phone')})
  where c.id = any ($1::uuid[]) and ${condition}
  union
  select m.id from (
    select account_id, mode, user_id from contacts where id = any ($1::uuid[]) and user_id is not null
    union all
    select account_id, mode, user_id from contact_former_ids where contact_id = any ($1::uuid[])
  ) u join ${table} m on m.account_id = u.account_id and m.mode = u.mode
    and m.to_user_id = u.user_id
  where ${condition}`;

const queuedSql = messagesToSql('messages', `m.type = 'template' and ${isQueued}`);

/** What would go out as its fallback is covered when it is released. */
const failScheduledSql = `
  with ${moveScheduledSql(
    `
    select m.id, 'failed' as status, $2::jsonb as error, false as is_replaced
    from scheduled_messages m
    where m.id = any (array(${messagesToSql('scheduled_messages', `m.type = 'template' and not m.withdrawn`)}))
      and ${optOutOf('m')} is not null
    order by m.id for update of m`,
    'recovery',
  )}`;

/** Tried or not: what is queued is with nobody. */
const failSql = `
  with covered as materialized (
    select m.id from messages m
    where m.id = any ($1::uuid[]) and ${isQueued} and ${optOutOf('m')} is not null
    order by m.id for update of m
  ), changed as (
    update messages m set status = 'failed', failed_at = clock_timestamp(), error = $2::jsonb,
      log = ${logWith(
        statusEntries({ status: `'failed'`, at: 'clock_timestamp()', source: 'recovery' }),
      )}
    from covered where m.id = covered.id and m.id = any ($1::uuid[])
    returning ${toldColumns}, 'queued' as before
  ), ${insertStatusEventsSql('changed')}
  select c.id, c.origin, c.status, c.error as failure, ${endpointsToWake} as "endpointsToWake",
    c.fallback_for as "fallbackFor"
  from changed c`;

/** Fails queued and scheduled messages whose recipient does not want them. */
@Injectable()
export class OptedOutMessages {
  constructor(
    private readonly dataSource: DataSource,
    private readonly conclusions: MessageConclusions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Fails what is queued or scheduled for contacts, in the transaction that records their opt-out.
   * @returns what to publish after the commit.
   */
  async failFor(
    manager: EntityManager,
    contactIds: readonly string[],
  ): Promise<ConcludedMessage[]> {
    // What is scheduled first: a message that is released meanwhile is queued when the second one looks.
    const scheduled: ConcludedMessage[] = await manager.query(failScheduledSql, [
      contactIds,
      JSON.stringify(optedOut),
    ]);
    const queued: { id: string }[] = await manager.query(queuedSql, [contactIds]);
    const failed = await this.fail(
      manager,
      queued.map(({ id }) => id),
    );
    return [...scheduled, ...failed];
  }

  /** Fails messages that a claim left for this reason. Never rejects: the next claim finds what is left. */
  async failLeft(ids: readonly string[]): Promise<void> {
    try {
      const failed = await this.fail(this.dataSource.manager, ids);
      for (const message of failed) this.conclusions.publish(message);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not fail messages to recipients who have opted out');
    }
  }

  private async fail(manager: EntityManager, ids: readonly string[]): Promise<ConcludedMessage[]> {
    if (ids.length === 0) return [];
    return manager.query(failSql, [ids.toSorted(), JSON.stringify(optedOut)]);
  }
}
