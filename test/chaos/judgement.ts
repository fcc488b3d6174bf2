import {
  type HistoryRow,
  historyColumns,
  timelineOf,
} from '../../src/messages/rows/message-history.js';
import { type MessageStatus, statusAfterReport } from '../../src/messages/rows/message-status.js';
import type { Sent } from '../support/load.js';
import type { ChaosInstallation } from './installation.js';
import { digitOf, type Phase } from './phase.js';

/**
 * An answer that takes longer counts as missing. Callers wait 3 s here, and as long again for a database that is away; how
 * long they really waited is printed.
 */
const answerMaxMs = 60_000;

/** A message as it is in the database when everything has come to rest. */
interface Row {
  readonly id: string;
  readonly reference: string;
  readonly status: MessageStatus;
  readonly reason: string | null;
  /** Every status after `queued`, oldest first, and who noticed it. */
  readonly statuses: readonly MessageStatus[];
  readonly sources: readonly string[];
}

/** What a fault did to the messages that were sent while it happened. */
export interface Outcome {
  /** Sends that were answered as accepted. */
  accepted: number;
  /** Of the messages, those that the platform accepted at least once. */
  received: number;
  sent: number;
  failed: number;
  /** Messages that were unconfirmed for a time. */
  unconfirmed: number;
  /** Messages that are unconfirmed in the end. */
  stillUnconfirmed: number;
  lost: number;
  doubled: number;
  refused: number;
  slowestMs: number;
  recoveredMs: number;
  /** What broke, each with its invariant. */
  violations: string[];
}

/** Compares the callers' answers, the database and the platform's ledger. */
export async function judgeAll(chaos: ChaosInstallation): Promise<Map<string, Outcome>> {
  const stored = await chaos.postgres.sql<Row & HistoryRow>(
    `select id, reference, coalesce(receipt, status) as status, error->>'reason' as reason,
       ${historyColumns}
     from messages where reference is not null`,
  );
  const rows = stored.map((row): Row => {
    const timeline = timelineOf(row);
    return {
      ...row,
      statuses: timeline.map(({ status }) => status),
      sources: timeline.map(({ source }) => source),
    };
  });
  const byReference = new Map(rows.map((row) => [row.reference, row]));
  const received = await readLedger(chaos);
  const outcomes = new Map<string, Outcome>();
  for (const [name, phase] of chaos.phases) {
    const outcome = judge(phase, byReference, received);
    for (const ask of phase.afterwards) outcome.violations.push(...(await ask()));
    outcomes.set(name, outcome);
  }
  return outcomes;
}

/** How often the platform accepted each message. */
export async function readLedger(chaos: ChaosInstallation): Promise<Map<string, number>> {
  const response = await fetch(`${chaos.stack.simulator.url}/_simulator/ledger`);
  const received = new Map<string, number>();
  for (const line of (await response.text()).trim().split('\n')) {
    const { callback, outcome } = JSON.parse(line) as { callback: string; outcome: string };
    if (outcome === 'accepted') received.set(callback, (received.get(callback) ?? 0) + 1);
  }
  return received;
}

function judge(
  phase: Phase,
  rows: ReadonlyMap<string, Row>,
  received: ReadonlyMap<string, number>,
): Outcome {
  const outcome: Outcome = {
    accepted: 0,
    received: 0,
    sent: 0,
    failed: 0,
    unconfirmed: 0,
    stillUnconfirmed: 0,
    lost: 0,
    doubled: 0,
    refused: 0,
    slowestMs: 0,
    recoveredMs: phase.recoveredMs,
    violations: [...phase.violations],
  };
  for (const sent of phase.sent) {
    const row = rows.get(sent.reference);
    const isReported = troubleOf(phase, sent.reference)?.isReported ?? true;
    const times = row ? (received.get(row.id) ?? 0) : 0;
    const isForgotten = phase.mayBeForgotten.has(sent.reference);
    count(outcome, sent, row, times, { isReported, isForgotten });
    if (!phase.mayRefuse && isRefused(sent)) {
      outcome.violations.push(`I12 refused for no reason: ${sent.reference}, told ${toldIn(sent)}`);
    }
    if (row) judgeTrouble(outcome, phase, row);
  }
  if (outcome.unconfirmed - troubled(phase, rows) > phase.unconfirmedMax) {
    outcome.violations.push(
      `I5 ${outcome.unconfirmed} unconfirmed, at most ${phase.unconfirmedMax} were in flight`,
    );
  }
  return outcome;
}

function count(
  outcome: Outcome,
  sent: Sent,
  row: Row | undefined,
  times: number,
  { isReported, isForgotten }: { isReported: boolean; isForgotten: boolean },
): void {
  const { reference, status, data, error, durationMs } = sent;
  const is = row ? `${row.id} ${row.status} ${row.reason ?? ''}` : 'no row';
  const broken = (invariant: string, why: string) =>
    outcome.violations.push(
      `${invariant} ${why}: ${reference}, told ${toldIn(sent)}, ${is.trim()}`,
    );

  outcome.slowestMs = Math.max(outcome.slowestMs, Math.round(durationMs));
  if (status !== null && !data && !error) broken('I12', 'the answer is no envelope');
  if (status === 503 && !sent.retryAfter) broken('I12', '503 without Retry-After');
  if (durationMs > answerMaxMs) broken('I12', `answered after ${Math.round(durationMs)} ms`);
  if (data) outcome.accepted += 1;
  else outcome.refused += 1;
  if (data && row?.id !== data.message_id) {
    outcome.lost += 1;
    if (!isForgotten) broken('I1', 'lost');
  }
  if (!row && isForgotten) return;
  if (data?.status === 'sent' && times === 0)
    broken('I3', 'told "sent", and the platform has none');
  if (error && times > 0 && !isReportedFailed(row)) {
    broken('I4', 'told an error, and the platform has it');
  }
  if (error && row && error.details?.message_id !== row.id) {
    broken('I1', 'told an error that names no message, and a row is there');
  }
  if (!row) return;

  if (times > 0) outcome.received += 1;
  if (times > 1) {
    outcome.doubled += 1;
    broken('I2', `accepted by the platform ${times} times`);
  }
  if (row.statuses.includes('unconfirmed')) outcome.unconfirmed += 1;
  switch (row.status) {
    case 'scheduled':
    case 'queued':
    case 'sending':
      broken('I1', 'stuck');
      break;
    case 'cancelled':
      if (times > 0) broken('I19', 'cancelled, and the platform has it');
      break;
    case 'unconfirmed':
      outcome.stillUnconfirmed += 1;
      if (times > 0 && isReported && !isForgotten)
        broken('I5', 'the platform reported it, and it is still unconfirmed');
      break;
    case 'failed':
      outcome.failed += 1;
      if (times > 0 && !isReportedFailed(row)) broken('I4', 'failed, and the platform has it');
      break;
    case 'sent':
    case 'delivered':
    case 'read':
      outcome.sent += 1;
      if (times === 0) broken('I3', 'sent, and the platform has none');
      break;
  }
  const step = findBackwardStep(row);
  if (step) broken('I3', `the status went back, ${step}`);
  if (row.status !== (row.statuses.at(-1) ?? 'queued')) broken('I3', 'the status went back');
}

/** The caller's answer, in short. */
function toldIn({ status, problem, data, error }: Sent): string {
  const word = data?.status ?? error?.details?.reason ?? error?.code ?? '';
  return `${status ?? problem} ${word}`.trim();
}

/** Not answered, or not with what came of the message. */
function isRefused({ status, error }: Sent): boolean {
  return status === null || (error !== null && error.code !== 'MESSAGE_SEND_FAILED');
}

function troubleOf({ troubles }: Phase, reference: string) {
  const sequence = /-(\d+)$/.exec(reference)?.[1];
  if (sequence === undefined || reference.includes('probe')) return undefined;
  return troubles.find(({ digit }) => digit === digitOf(troubles, Number(sequence)));
}

/** What the platform did to a message decides exactly what may come of it. */
function judgeTrouble(outcome: Outcome, phase: Phase, row: Row): void {
  const trouble = troubleOf(phase, row.reference);
  if (!trouble) return;
  // Either so, or the platform's report came before we had given up.
  const isUncertain = row.statuses.includes('unconfirmed') || row.sources.includes('webhook');
  // A message whose acceptance was withdrawn never met the platform.
  const isTried = row.statuses.includes('sending');
  const isRight = trouble.ends.includes(row.status) && (!trouble.becomesUnconfirmed || isUncertain);
  if (isTried && !isRight) {
    const history = row.statuses.join(' → ');
    outcome.violations.push(
      `I5 ${JSON.stringify(trouble.fault)} made this of ${row.reference} ${row.id}: ${history}`,
    );
  }
}

/** Messages that were unconfirmed because of what the platform did to them. */
function troubled(phase: Phase, rows: ReadonlyMap<string, Row>): number {
  return phase.sent.filter(({ reference }) => {
    const isTrouble = troubleOf(phase, reference)?.becomesUnconfirmed ?? false;
    return isTrouble && rows.get(reference)?.statuses.includes('unconfirmed');
  }).length;
}

/** The platform took the message and said later that it could not be delivered. */
function isReportedFailed(row: Row | undefined): boolean {
  return (
    row?.statuses.some((status, at) => status === 'failed' && row.sources[at] === 'webhook') ??
    false
  );
}

/** A report moves a status forward only; `failed` yields to a proof of delivery. */
function findBackwardStep({ statuses, sources }: Row): string | null {
  for (const [at, after] of statuses.entries()) {
    const before = statuses[at - 1] ?? 'queued';
    if (sources[at] !== 'webhook') continue;
    const isReported =
      after === 'sent' || after === 'delivered' || after === 'read' || after === 'failed';
    if (!isReported || statusAfterReport(before, after) !== after) return `${before} → ${after}`;
  }
  return null;
}
