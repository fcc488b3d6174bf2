import { Injectable } from '@nestjs/common';
import type { Mode } from '../../access/mode.js';
import { reportedProbeBit } from '../../accounts/number-hold.js';
import { ToldForms } from '../../contacts/forms/told-forms.js';
import { lines, plainArray, textArray } from '../../database/array-literals.js';
import { GroupCommit } from '../../database/group-commit.js';
import { HotStatements } from '../../database/hot-statements.js';
import { storableJson } from '../../database/storable-text.js';
import type { MessageFailure } from '../message.js';
import { fallenColumns, fallenReturning, fallSql, insertFallbacksSql } from './fallback-rows.js';
import type { ConcludedMessage } from './message-conclusions.js';
import { MessageConclusions } from './message-conclusions.js';
import { statusBits as bits, logWith, statusEntries } from './message-history.js';
import type { ReportedStatus } from './message-status.js';
import { endpointsToWake, insertStatusEventsSql, toldColumns } from './status-events.js';

/** What the platform says of a message of an account. */
export interface StatusReport {
  readonly accountId: string;
  /** The account's version by which the report was routed; null when it was read just now. */
  readonly accountVersion: string | null;
  /** Whose rows it may touch; null: live and test ones. */
  readonly mode: Mode | null;
  /** Our own id, if the platform sends it back; a UUID that we may not know. */
  readonly messageId: string | null;
  /** As the platform wrote it; PostgreSQL can store it. */
  readonly platformMessageId: string;
  /** What the platform calls the recipient's number, as E.164; null where it names none. */
  readonly phone: string | null;
  readonly status: ReportedStatus;
  /** When it happened, as the platform says; null where it does not. */
  readonly at: Date | null;
  /** Set for `failed`. */
  readonly failure: MessageFailure | null;
  /** As the platform sends it. */
  readonly pricing: object | null;
}

/** A report on the message with this id, if there is one. */
export interface NamedReport extends StatusReport {
  readonly messageId: string;
}

/** Reports on one message that are applied as one. */
interface MergedReport {
  readonly first: NamedReport;
  readonly id: string;
  /** The bits of the statuses. */
  reported: number;
  readonly at: Partial<Record<ReportedStatus, number>>;
  pricing: object | null;
  /** The bit of the status that the price came with; that of a later stage counts. */
  priced: number;
  isFound: boolean;
}

type ReportedRow = Omit<ConcludedMessage, 'failure'> & {
  isFound: boolean;
  /** The number that we wrote to, and its mode; null where nothing has changed. */
  recipient: string | null;
  mode: Mode | null;
};

/**
 * Which statuses of the set `i.reported` the row enters: those that it has not entered yet, in whatever order they come;
 * `failed` only without a proof of delivery, and once.
 */
const entered = (row: string) => `
  i.reported & ~${row}.entered::int & case
    when ${row}.status = 'cancelled' then 0
    when ${row}.status = 'failed' or ${row}.receipt is not null then ${bits.sent | bits.delivered | bits.read}
    else ${bits.sent | bits.delivered | bits.read | bits.failed} end`;

/** Whether the report says that the platform sent the probe of a number on hold, and is the first that does. */
const isProbeSent = (row: string) =>
  `(i.is_probe and i.reported < ${bits.failed} and ${row}.entered & ${reportedProbeBit} = 0)`;

const isEntered = (bit: number) => `(${entered('m')}) & ${bit} <> 0`;

/** A time of the platform, which has whole seconds and a clock of its own. */
const clipped = (at: string, ...notBefore: string[]) => `
  least(greatest(coalesce(${at}, clock_timestamp()), ${notBefore.join(', ')}), clock_timestamp())`;

/** No reported event happened before this. */
const began = ['m.sending_at', 'm.created_at'];

/** The platform's own time for a message that it reports as sent, delivered or read. */
const reportedAt = 'coalesce(i.sent_at, i.delivered_at, i.read_at)';
const sentAt = clipped(reportedAt, ...began);
const fallen = fallenColumns(isEntered(bits.failed));
const failedAt = clipped('i.failed_at', 'm.sent_at', ...began);

/*
 * The account is compared in a way that no index serves: a plan made while the table was empty would
 * read all messages of the account instead of one by its id.
 */
const isHere = `m.id = i.id and m.id = any ($1::uuid[]) and m.id between $2::uuid and $3::uuid
      and m.account_id is not distinct from i.account_id and (i.mode is null or m.mode = i.mode)`;

/*
 * One row for each message, sorted, so that two groups lock in the same order: unsorted, they
 * deadlock. The lowest and the highest id leave out partitions when the plan is executed; an array
 * cannot. A report that enters no status may still bring a price or our message's platform id; one
 * that brings nothing writes nothing.
 */
const reportStatement = {
  name: 'report-statuses',
  text: `
  with input as materialized (
    select t.id, t.account_id, t.mode, t.platform_message_id, t.reported,
      to_timestamp(t.sent_ms / 1000) as sent_at, to_timestamp(t.delivered_ms / 1000) as delivered_at,
      to_timestamp(t.read_ms / 1000) as read_at, to_timestamp(t.failed_ms / 1000) as failed_at,
      t.failure::jsonb as failure, t.pricing::jsonb as pricing, t.priced, a.id is not null as is_routed,
      a.hold_probe_id is not distinct from t.id as is_probe
    from (select set_config('lock_timeout', '1s', true)) as patience cross join unnest(
      $1::uuid[], $4::uuid[], $5::bigint[], $6::text[], $7::text[], $8::int[], $9::float8[],
      $10::float8[], $11::float8[], $12::float8[], string_to_array($13, E'\\n', ''),
      string_to_array($14, E'\\n', ''), $15::int[]
    ) as t (id, account_id, version, mode, platform_message_id, reported, sent_ms, delivered_ms, read_ms,
            failed_ms, failure, pricing, priced)
    left join accounts a
      on a.id = t.account_id and (t.version is null or a.version = t.version)
  ), ${fallSql}, changed as (
    update messages m set
      status = case when ${isEntered(bits.failed)} then 'failed'
        when m.status = 'failed' and not ${isEntered(bits.delivered | bits.read)} then m.status
        when (${entered('m')}) <> 0 then 'sent' else m.status end,
      receipt = case when ${isEntered(bits.read)} then 'read'
        when ${isEntered(bits.delivered)} then coalesce(m.receipt, 'delivered') else m.receipt end,
      entered = m.entered | (${entered('m')} & ${bits.sent | bits.delivered | bits.read})
        | case when ${isProbeSent('m')} then ${reportedProbeBit} else 0 end,
      log = case when ${isEntered(bits.sent | bits.failed)} then ${logWith(
        statusEntries({
          status: `case when i.reported = ${bits.failed} then 'failed' else 'sent' end`,
          at: `case when i.reported = ${bits.failed} then ${failedAt} else ${sentAt} end`,
          source: 'webhook',
        }),
      )} else m.log end,
      platform_message_id = coalesce(m.platform_message_id, i.platform_message_id),
      error = case when ${isEntered(bits.failed)} then ${fallen.failure} else m.error end,
      fallback_message_id = ${fallen.fallbackMessageId},
      pricing = case when m.pricing is null or i.priced >= m.entered::int & ${bits.delivered | bits.read}
        then coalesce(i.pricing, m.pricing) else m.pricing end,
      sent_at = case when ${isEntered(bits.sent)} then least(m.sent_at, ${sentAt})
        when i.reported < ${bits.failed} then coalesce(m.sent_at, ${sentAt}) else m.sent_at end,
      delivered_at = case when i.reported & ${bits.delivered} <> 0
        then coalesce(m.delivered_at, ${clipped('i.delivered_at', 'm.sent_at', reportedAt, ...began)})
        else m.delivered_at end,
      read_at = case when i.reported & ${bits.read} <> 0
        then coalesce(m.read_at, ${clipped('i.read_at', 'm.delivered_at', 'i.delivered_at', 'm.sent_at', reportedAt, ...began)})
        else m.read_at end,
      failed_at = case when ${isEntered(bits.failed)}
        then ${failedAt} else m.failed_at end
    from input i left join fall f on f.id = i.id
    where ${isHere} and i.is_routed
      and ((${entered('m')}) <> 0 or m.platform_message_id is null or ${isProbeSent('m')}
        or (m.pricing is null and i.pricing is not null)
        or (m.sent_at is null and i.reported < ${bits.failed}))
    returning ${toldColumns}, ${fallenReturning}, old.status as before, ${entered('old')} as steps,
      i.sent_at as reported_sent, i.delivered_at as reported_delivered, i.read_at as reported_read,
      i.failed_at as reported_failed
  ), ${insertFallbacksSql('changed')}, steps as (
    select ${toldColumns.replace('m.status', 's.status')},
      case s.bit when ${bits.sent} then m.reported_sent when ${bits.delivered} then m.reported_delivered
        when ${bits.read} then m.reported_read else m.reported_failed end as occurred_at
    from changed m join (values ${Object.entries(bits)
      .map(([status, bit]) => `(${bit}, '${status}')`)
      .join(', ')}) as s (bit, status)
      on m.steps & s.bit <> 0
  ), ${insertStatusEventsSql('steps', 'c.occurred_at')}
  select i.id, c.status, c.recipient, c.mode, ${endpointsToWake} as "endpointsToWake",
    case when c.before in ('queued', 'sending', 'unconfirmed') and c.steps <> 0 then c.origin end
      as origin,
    c.fallback_for as "fallbackFor", case when c.is_replaced then c.fallback_message_id end as "fallbackId",
    c.id is not null or (i.is_routed and exists (select from messages m where ${isHere})) as "isFound"
  from input i left join changed c on c.id = i.id`,
};

/* As above; and the offset keeps the plan from walking all ids in their order. */
const isOfAccount = `m.account_id is not distinct from t.account_id
       and (t.mode is null or m.mode = t.mode)`;

/* A message is known for certain by our own id, and by the platform's where the send carried none. */
/** A message of ours that a status is about. */
export interface ReportedMessage {
  readonly id: string;
  readonly mode: Mode;
  /** What its caller wants to have back. */
  readonly callbackData: string | null;
}

const nameStatement = {
  name: 'name-reports',
  text: `
  select coalesce(own.id, other.id) as id, coalesce(own.mode, other.mode) as mode,
    coalesce(own.callback_data, other.callback_data) as callback_data
  from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[]) with ordinality
    as t (account_id, mode, message_id, platform_message_id, position)
  left join lateral (
    select m.id, m.mode, m.callback_data from messages m where m.id = t.message_id and ${isOfAccount}
  ) own on true
  left join lateral (
    select m.id, m.mode, m.callback_data
    from (select * from messages p where p.platform_message_id = t.platform_message_id offset 0) m
    where own.id is null and ${isOfAccount} order by m.id limit 1
  ) other on true
  order by t.position`,
};

const recipientsStatement = {
  name: 'recipients-of-reports',
  text: `
  select m.id, m.recipient, m.mode from unnest($1::uuid[]) as t (id)
  join messages m on m.id = t.id where m.id = any ($1::uuid[]) and m.recipient is not null`,
};

const groupMaxSize = 200;

/** Moves messages forward as the platform reports: the one way for API processes and workers. */
@Injectable()
export class StatusReports {
  private readonly group: GroupCommit<NamedReport, boolean>;

  constructor(
    private readonly statements: HotStatements,
    private readonly conclusions: MessageConclusions,
    private readonly forms: ToldForms,
  ) {
    this.group = new GroupCommit({
      commit: (reports) => this.write(reports),
      maxSize: groupMaxSize,
    });
  }

  /**
   * Applies a report in a group with others, each change with its timeline and its event. A report
   * that has been applied before changes nothing.
   * @returns whether it is about a message of its account, which is then as reported, committed.
   * @throws the store's error, which may be that of another report of the group; after a second of
   * waiting for a row that is locked elsewhere, it is a lock time-out.
   */
  apply(report: NamedReport): Promise<boolean> {
    return this.group.enqueue(report);
  }

  /** The reports with the ids of the messages that they are about; null where there is none. */
  async name(reports: readonly StatusReport[]): Promise<(NamedReport | null)[]> {
    const messages = await this.findMessages(reports);
    return reports.map((report, index) => {
      const messageId = messages[index]?.id;
      return messageId === undefined ? null : { ...report, messageId };
    });
  }

  /** The messages that statuses are about; null where there is none. */
  async findMessages(
    statuses: readonly Pick<
      StatusReport,
      'accountId' | 'mode' | 'messageId' | 'platformMessageId'
    >[],
  ): Promise<(ReportedMessage | null)[]> {
    if (statuses.length === 0) return [];
    const rows = await this.statements.run<{
      id: string | null;
      mode: Mode | null;
      callback_data: string | null;
    }>(nameStatement, [
      plainArray(statuses.map(({ accountId }) => accountId)),
      plainArray(statuses.map(({ mode }) => mode)),
      plainArray(statuses.map(({ messageId }) => messageId)),
      textArray(statuses.map(({ platformMessageId }) => platformMessageId)),
    ]);
    return rows.map(({ id, mode, callback_data: callbackData }) =>
      id === null || mode === null ? null : { id, mode, callbackData },
    );
  }

  /** The numbers that the messages of reports were sent to, by message: what the platform calls them may differ. */
  async recipientsOf(
    reports: readonly NamedReport[],
  ): Promise<Map<string, { readonly recipient: string; readonly mode: Mode }>> {
    if (reports.length === 0) return new Map();
    const rows = await this.statements.run<{ id: string; recipient: string; mode: Mode }>(
      recipientsStatement,
      [plainArray(reports.map(({ messageId }) => messageId))],
    );
    return new Map(rows.map(({ id, recipient, mode }) => [id, { recipient, mode }]));
  }

  private async write(reports: readonly NamedReport[]): Promise<boolean[]> {
    const { merged, parts } = mergeReports(reports);
    for (const part of parts) await this.writePart(part);
    return merged.map(({ isFound }) => isFound);
  }

  private async writePart(part: MergedReport[]): Promise<void> {
    part.sort((a, b) => (a.id < b.id ? -1 : 1));
    const plain = (pick: (report: MergedReport) => string | number | null) =>
      plainArray(part.map(pick));
    const rows = await this.statements.run<ReportedRow>(reportStatement, [
      plain(({ id }) => id),
      part[0]?.id,
      part.at(-1)?.id,
      plain(({ first }) => first.accountId),
      plain(({ first }) => first.accountVersion),
      plain(({ first }) => first.mode),
      textArray(part.map(({ first }) => first.platformMessageId)),
      plain(({ reported }) => reported),
      plain(({ at }) => at.sent ?? null),
      plain(({ at }) => at.delivered ?? null),
      plain(({ at }) => at.read ?? null),
      plain(({ at }) => at.failed ?? null),
      lines(part.map(({ first }) => first.failure && storableJson(first.failure))),
      lines(part.map(({ pricing }) => pricing && storableJson(pricing))),
      plain(({ priced }) => priced),
    ]);
    const byId = new Map(part.map((report) => [report.id, report]));
    for (const row of rows) {
      const report = byId.get(row.id);
      if (report) {
        report.isFound = row.isFound;
        const { accountId, phone } = report.first;
        const { recipient, mode } = row;
        if (phone && recipient && mode)
          this.forms.note({ accountId, mode, phone: recipient, form: phone });
      }
      this.conclusions.publish(row);
    }
  }
}

/**
 * Merges what is certainly about the same message of the same account. What cannot be merged, though
 * it names the same message, comes in a later part: of two rows for one message an UPDATE takes one
 * and silently ignores the other.
 * @returns for each report what it was merged into, and the parts, each a statement of its own.
 */
function mergeReports(reports: readonly NamedReport[]) {
  const byKey = new Map<string, MergedReport>();
  const merged = reports.map((report) => {
    const id = report.messageId.toLowerCase();
    const { accountId, accountVersion, mode, platformMessageId, status } = report;
    const isFailed = status === 'failed';
    const key = [id, accountId, accountVersion, mode, isFailed, platformMessageId].join(' ');
    let into = byKey.get(key);
    if (!into)
      byKey.set(
        key,
        (into = {
          first: report,
          id,
          reported: 0,
          at: {},
          pricing: null,
          priced: 0,
          isFound: false,
        }),
      );
    into.reported |= bits[status];
    if (report.at) into.at[status] ??= report.at.getTime();
    if (report.pricing && bits[status] >= into.priced) {
      into.pricing = report.pricing;
      into.priced = bits[status];
    }
    return into;
  });
  const parts: MergedReport[][] = [];
  const counts = new Map<string, number>();
  // Failures come last: they yield to a proof of delivery, in whatever order reports come.
  for (const report of [...byKey.values()].toSorted(
    (a, b) => (a.reported & bits.failed) - (b.reported & bits.failed),
  )) {
    const part = counts.get(report.id) ?? 0;
    counts.set(report.id, part + 1);
    (parts[part] ??= []).push(report);
  }
  return { merged, parts };
}
