import { Injectable } from '@nestjs/common';
import type { Mode } from '../../access/mode.js';
import { ToldForms } from '../../contacts/forms/told-forms.js';
import { plainArray } from '../../database/array-literals.js';
import { GroupCommit } from '../../database/group-commit.js';
import { HotStatements } from '../../database/hot-statements.js';
import { storableJson } from '../../database/storable-text.js';
import type { MessageFailure } from '../message.js';
import { MessageConclusions } from './message-conclusions.js';
import { statusBits as bits } from './message-history.js';
import type { ReportedStatus } from './message-status.js';
import * as sql from './status-reports.statements.js';

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

/** A message of ours that a status is about. */
export interface ReportedMessage {
  readonly id: string;
  readonly mode: Mode;
  /** What its caller wants to have back. */
  readonly callbackData: string | null;
}

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
    const rows = await sql.nameReports.rows(this.statements, sql.namedInput.valuesOf(statuses));
    return rows.map(({ id, mode, callback_data: callbackData }) =>
      id === null || mode === null ? null : { id, mode, callbackData },
    );
  }

  /** The numbers that the messages of reports were sent to, by message: what the platform calls them may differ. */
  async recipientsOf(
    reports: readonly NamedReport[],
  ): Promise<Map<string, { readonly recipient: string; readonly mode: Mode }>> {
    if (reports.length === 0) return new Map();
    const rows = await sql.findRecipientsOfReports.rows(this.statements, {
      ids: plainArray(reports.map(({ messageId }) => messageId)),
    });
    return new Map(rows.map(({ id, recipient, mode }) => [id, { recipient, mode }]));
  }

  private async write(reports: readonly NamedReport[]): Promise<boolean[]> {
    const { merged, parts } = mergeReports(reports);
    for (const part of parts) await this.writePart(part);
    return merged.map(({ isFound }) => isFound);
  }

  private async writePart(part: MergedReport[]): Promise<void> {
    part.sort((a, b) => (a.id < b.id ? -1 : 1));
    const input = part.map(({ first, at, ...merged }) => ({
      ...first,
      ...merged,
      version: first.accountVersion,
      sentMs: at.sent ?? null,
      deliveredMs: at.delivered ?? null,
      readMs: at.read ?? null,
      failedMs: at.failed ?? null,
      failure: first.failure && storableJson(first.failure),
      pricing: merged.pricing && storableJson(merged.pricing),
    }));
    const rows = await sql.reportStatuses.rows(this.statements, {
      ...sql.reportInput.valuesOf(input),
      firstId: part[0]?.id,
      lastId: part.at(-1)?.id,
    });
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
