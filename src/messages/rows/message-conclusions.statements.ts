import { as } from '../../database/statements/sql-types.js';
import type { EventHint } from '../../hints/event-hints.js';
import type { MessageFailure } from '../message.js';
import { logWith, statusEntries } from './message-history.js';
import type { ChangeSource, MessageStatus } from './message-status.js';
import { endpointsToWake, insertStatusEventsSql, toldColumns } from './status-events.js';

/** The columns of a `ConcludedMessage`. */
export const concludedColumns = {
  id: 'uuid',
  origin: 'uuid?',
  status: as<MessageStatus>('text'),
  failure: as<MessageFailure | null>('jsonb'),
  endpointsToWake: as<readonly EventHint[] | null>('json'),
  fallbackFor: 'uuid?',
} as const;

/** The query that answers the rows of `changed`, a statement with `insertStatusEventsSql`, as `ConcludedMessage`s. */
export const concludedSql = (failure: 'c.error' | 'null::jsonb') => `
  select c.id, c.origin, c.status, ${failure} as failure, ${endpointsToWake} as "endpointsToWake",
    c.fallback_for as "fallbackFor"
  from changed c`;

/** What makes rows `m` of `messages` enter a status. */
interface Entering {
  readonly status: MessageStatus;
  readonly source: ChangeSource;
  /** Of rows that fail: what `error` becomes. */
  readonly failure?: string;
  /** What else is set. */
  readonly set?: string;
  /** The rows: expressions that they are joined with, and a condition. */
  readonly where: string;
}

/**
 * The end of a statement that makes rows enter a status: changes and logs them, tells who hears of it, and answers.
 * @param answer the query, of the expression `changed`; default: `ConcludedMessage`s.
 */
export const enterStatusSql = (
  { status, source, failure, set, where }: Entering,
  answer = concludedSql(failure ? 'c.error' : 'null::jsonb'),
) => {
  const at = 'clock_timestamp()';
  const log = logWith(statusEntries({ status: `'${status}'`, at, source }));
  const changes = [
    `status = '${status}'`,
    `log = ${log}`,
    ...(failure ? [`failed_at = ${at}`, `error = ${failure}`] : []),
    ...(set ? [set] : []),
  ];
  return `changed as (
    update messages m set ${changes.join(', ')}
    ${where}
    returning ${toldColumns}
  ), ${insertStatusEventsSql('changed')} ${answer}`;
};
