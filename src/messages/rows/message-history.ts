import { as, type RowOf } from '../../database/statements/sql-types.js';
import type { ChangeSource, MessageStatus } from './message-status.js';

/** A status that a message entered. */
export interface TimelineRecord {
  status: MessageStatus;
  at: Date;
  source: ChangeSource;
}

/** One call to the platform. */
export interface AttemptRecord {
  number: number;
  startedAt: Date;
  durationMs: number;
  outcome: string;
  httpStatus: number | null;
  errorCode: number | null;
  detail: string | null;
}

type LogEntry =
  | { status: MessageStatus; at: string; source: ChangeSource }
  | {
      number: number;
      started_at: string;
      duration_ms: number;
      outcome: string;
      http_status: number | null;
      error_code: number | null;
      detail: string | null;
    };

/**
 * The history that a message's row keeps. Most messages go one way: `sending` by a worker, `sent` by
 * the platform's answer, receipts by its webhook. Columns hold that way; `log` has every deviation, in
 * order: other statuses, the same ones from another source, tries that led
 * to another try, and details of the last one.
 */
export const historyTypes = {
  attempt: 'int2',
  /** The bits of the statuses that were entered and told, see `statusBits`; `log` says which of them came another way. */
  entered: 'int2',
  sending_at: 'timestamptz?',
  sent_at: 'timestamptz?',
  delivered_at: 'timestamptz?',
  read_at: 'timestamptz?',
  attempt_started_at: 'timestamptz?',
  attempt_ms: 'int4?',
  attempt_outcome: 'text?',
  attempt_http_status: 'int4?',
  attempt_error_code: 'int4?',
  log: as<LogEntry[] | null>('jsonb'),
} as const;

export const historyColumns = Object.keys(historyTypes).join(', ');

export type HistoryRow = RowOf<typeof historyTypes>;

/** The bits of what the platform reports; a set of statuses is their sum. */
export const statusBits = { sent: 1, delivered: 2, read: 4, failed: 8 } as const;

/** For the database: the log of the row `m` with more entries, each of them an array or null. */
export const logWith = (...entries: string[]) =>
  `nullif(coalesce(m.log, '[]') || ${entries.map((entry) => `coalesce(${entry}, '[]')`).join(' || ')}, '[]')`;

/** For the database: entries of the log for statuses that were entered one after the other. */
export const statusEntries = (...changes: { status: string; at: string; source: ChangeSource }[]) =>
  `jsonb_build_array(${changes
    .map(
      ({ status, at, source }) =>
        `jsonb_build_object('status', ${status}, 'at', ${at}, 'source', '${source}')`,
    )
    .join(', ')})`;

/** Every final status comes after those that lead to it. */
const rank: readonly MessageStatus[] = ['unconfirmed', 'sent', 'failed', 'delivered', 'read'];

/** The statuses that a message has entered, oldest first, without its acceptance. */
export function timelineOf(row: HistoryRow): TimelineRecord[] {
  const logged = (row.log ?? []).flatMap((entry) =>
    'status' in entry ? [{ ...entry, at: new Date(entry.at) }] : [],
  );
  const usual = (
    status: MessageStatus,
    at: Date | null,
    source: ChangeSource,
    isEntered: boolean,
  ) => (isEntered && at ? [{ status, at, source }] : []);
  const has = (bit: number) => (row.entered & bit) !== 0;
  const isLogged = (status: MessageStatus) => logged.some((entry) => entry.status === status);
  const later = [
    ...logged.filter(({ status }) => rank.includes(status)),
    ...usual('sent', row.sent_at, 'platform', has(statusBits.sent) && !isLogged('sent')),
    ...usual('delivered', row.delivered_at, 'webhook', has(statusBits.delivered)),
    ...usual('read', row.read_at, 'webhook', has(statusBits.read)),
  ];
  return [
    // Tries that led to another try.
    ...logged.filter(({ status }) => !rank.includes(status)),
    ...usual('sending', row.sending_at, 'worker', true),
    ...later.toSorted((a, b) => rank.indexOf(a.status) - rank.indexOf(b.status)),
  ];
}

/** The calls to the platform that ended, in order. */
export function attemptsOf(row: HistoryRow): AttemptRecord[] {
  const attempts = (row.log ?? []).flatMap((entry): AttemptRecord[] =>
    'number' in entry
      ? [
          {
            number: entry.number,
            startedAt: new Date(entry.started_at),
            durationMs: entry.duration_ms,
            outcome: entry.outcome,
            httpStatus: entry.http_status,
            errorCode: entry.error_code,
            detail: entry.detail,
          },
        ]
      : [],
  );
  if (row.attempt_started_at && !attempts.some(({ number }) => number === row.attempt)) {
    attempts.push({
      number: row.attempt,
      startedAt: row.attempt_started_at,
      durationMs: row.attempt_ms ?? 0,
      outcome: row.attempt_outcome ?? '',
      httpStatus: row.attempt_http_status,
      errorCode: row.attempt_error_code,
      detail: null,
    });
  }
  return attempts.toSorted((a, b) => a.number - b.number);
}
