import { as } from '../../database/statements/sql-types.js';
import type { EventHint } from '../../hints/event-hints.js';
import type { MessageFailure } from '../message.js';
import type { MessageStatus } from './message-status.js';
import { endpointsToWake } from './status-events.js';

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
