import { isInPresentHistorySql } from '../../database/history/database-history.js';
import { statement, unindexed } from '../../database/statements/statement.js';
import { concludedColumns, enterStatusSql } from './message-conclusions.statements.js';
import { expireSql } from './message-endings.statements.js';
import { moveScheduledSql } from './scheduled-rows.statements.js';

/** Tried or not: what is queued is with nobody. A claim that comes first makes it `sending`. */
export const cancelMessage = statement({
  name: 'cancel-message',
  params: { id: 'uuid' },
  columns: concludedColumns,
  text: `with ${enterStatusSql({
    status: 'cancelled',
    source: 'api',
    where: `where m.id = :id and ${unindexed('m.status')} = 'queued'`,
  })}`,
});

export const cancelScheduledMessage = statement({
  name: 'cancel-scheduled-message',
  params: { id: 'uuid' },
  columns: concludedColumns,
  text: `with ${moveScheduledSql(
    `
    select id, 'cancelled' as status, null::jsonb as error, false as is_replaced
    from scheduled_messages where id = :id and not withdrawn for update`,
    'api',
  )}`,
});

/**
 * A claim may have begun in time and be committed only now: this waits for it, and leaves it alone. The other way round
 * the claim finds that the message is no longer queued. A message that is older than the present history of the
 * database is left alone, too: the history may have forgotten its claim.
 */
export const expireMessage = statement({
  name: 'expire-message',
  params: { id: 'uuid', failure: 'jsonb', isEarly: 'bool' },
  columns: concludedColumns,
  text: `with ${expireSql(
    'api',
    `where m.id = :id and ${unindexed('m.status')} = 'queued' and (:isEarly or m.expires_at <= clock_timestamp())
      and ${isInPresentHistorySql('m.created_at')}`,
  )}`,
});
