import { newId } from '../../src/database/ids.js';
import type { MessageFailure, NewMessage } from '../../src/messages/message.js';
import { attemptsOf, timelineOf } from '../../src/messages/rows/message-history.js';
import type { AttemptResult } from '../../src/messages/rows/message-settlement.js';
import type { ReportedStatus } from '../../src/messages/rows/message-status.js';
import type { NamedReport } from '../../src/messages/rows/status-reports.js';
import { installation, type Sql } from './installation.js';

/** A message that is about to be accepted. */
export function newMessage(change: Partial<NewMessage> = {}): NewMessage {
  return {
    id: newId(),
    accountId: installation.accountId,
    apiKeyId: '018f0000-0000-7000-8000-00000000000a',
    mode: 'live',
    type: 'button',
    recipient: '+14155550123',
    toUserId: null,
    reference: null,
    payload: { type: 'interactive' },
    waiting: true,
    giveUpAfterMs: 9_000,
    expires: null,
    sendAt: null,
    dailyLimit: 1_000_000,
    traceparent: null,
    idempotency: null,
    ...change,
  };
}

/** What a stored row differs in from one that has just been accepted. Times are seconds from now. */
export interface RowChange {
  id?: string;
  accountId?: string;
  apiKeyId?: string;
  mode?: 'live' | 'test';
  status?: string;
  attempt?: number;
  waiting?: boolean;
  createdIn?: number;
  nextAttemptIn?: number;
  giveUpIn?: number;
  leaseIn?: number | null;
}

/** Inserts a row as a test needs it, and returns its id. */
export async function insertMessage(database: Sql, change: RowChange = {}): Promise<string> {
  const id = change.id ?? newId();
  await database.sql(
    `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, waiting,
       status, receipt, entered, sent_at, delivered_at, read_at, attempt, created_at, next_attempt_at,
       give_up_at, lease_until)
     values ($1, $2, $3, $4, 'button', '+14155550123', '{"a":1}', $5,
       case when $6 in ('delivered', 'read') then 'sent' else $6 end,
       case when $6 in ('delivered', 'read') then $6 end,
       case $6 when 'sent' then 1 when 'delivered' then 3 when 'read' then 7 else 0 end,
       case when $6 in ('sent', 'delivered', 'read') then now() end,
       case when $6 in ('delivered', 'read') then now() end, case when $6 = 'read' then now() end, $7::int,
       now() + make_interval(secs => $8), now() + make_interval(secs => $9),
       now() + make_interval(secs => $10), now() + make_interval(secs => $11))`,
    [
      id,
      change.accountId ?? installation.accountId,
      change.apiKeyId ?? '018f0000-0000-7000-8000-00000000000a',
      change.mode ?? 'live',
      change.waiting ?? true,
      change.status ?? 'queued',
      change.attempt ?? 0,
      change.createdIn ?? 0,
      change.nextAttemptIn ?? 0,
      change.giveUpIn ?? 60,
      change.leaseIn ?? null,
    ],
  );
  return id;
}

/** A row as it is shown, with its timeline and its attempts. */
export async function readRow(database: Sql, id: string): Promise<any> {
  const [row] = await database.sql(
    'select *, coalesce(receipt, status) as status from messages where id = $1',
    [id],
  );
  return { ...row, timeline: timelineOf(row), attempts: attemptsOf(row) };
}

/** A refusal that may pass. */
export const failure: MessageFailure = {
  code: 'MESSAGE_SEND_FAILED',
  message: 'Something went wrong',
  retryable: true,
  platformCode: 131000,
  platformMessage: '(#131000) Something went wrong',
  reason: null,
};

/** How an attempt ended; by default WhatsApp took the message at the first try. */
export function result(id: string, change: Partial<AttemptResult> = {}): AttemptResult {
  const status = change.status ?? 'sent';
  const outcomes = {
    sent: 'accepted',
    unconfirmed: 'ambiguous',
    failed: 'refused',
    queued: 'refused',
  };
  return {
    id,
    attempt: 1,
    status,
    platformMessageId: status === 'sent' ? `wamid.${id}` : null,
    isHeld: false,
    failure: status === 'failed' || status === 'queued' ? failure : null,
    retryInMs: status === 'queued' ? 250 : null,
    startedAt: new Date(),
    durationMs: 12,
    outcome: outcomes[status],
    httpStatus: 200,
    errorCode: null,
    detail: null,
    ...change,
  };
}

/** What the platform reports of a live message of the tests' account. */
export function report(
  messageId: string,
  status: ReportedStatus,
  change: Partial<NamedReport> = {},
): NamedReport {
  return {
    accountId: installation.accountId,
    accountVersion: null,
    mode: 'live',
    messageId,
    platformMessageId: `wamid.${messageId.toLowerCase()}`,
    phone: null,
    status,
    at: new Date(),
    failure: status === 'failed' ? failure : null,
    pricing: null,
    ...change,
  };
}

/** The events of a message for its key's webhook, in the order in which they were written. */
export async function eventsOf(database: Sql, id: string): Promise<any[]> {
  const rows = await database.sql(
    'select body from open_events where message_id = $1 order by seq',
    [id],
  );
  return rows.map(({ body }) => JSON.parse(body));
}
