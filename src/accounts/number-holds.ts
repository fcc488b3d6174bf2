import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { findErrorFacts } from '#libs/whatsapp';
import { raiseAlert } from '../alerts/alerts.js';
import type { Row } from '../database/statements/statement.js';
import { LOGGER } from '../logging/logging.module.js';
import { AccountVersions, raiseVersion } from './account-versions.js';
import { endHold } from './number-hold.js';
import * as sql from './number-holds.statements.js';

/** A throttled number waits 1 s, then twice as long each time, up to this. */
const throttleMaxSeconds = 30;

/** The pace that a number is slowed down to when the platform finds it too fast. */
const slowDown = 0.8;

/** How often a paused number is asked whether it may send again; and the first wait of one that is tried with a message. */
const probeEverySeconds = 60;

/** A number that is paused until a report is tried after 1 minute, then after twice as long each time, up to this. */
const reportMaxMinutes = 30;

/** What an attempt means for all other messages of the same number. */
export interface NumberTrouble {
  readonly kind: 'throttled' | 'paused';
  readonly code: number;
  readonly reason: string;
}

/** A number on hold whose next probe is due. */
export type DueProbe = Row<typeof sql.takeDueProbes>;

/** The pause that a refusal with this code means, in an answer or in a report; null where it means none. */
export function pauseOf(code: number): NumberTrouble | null {
  const facts = findErrorFacts({ code, subcode: null });
  return facts?.handling === 'pause' ? { kind: 'paused', code, reason: facts.title } : null;
}

const isUntilReport = (code: number) =>
  findErrorFacts({ code, subcode: null })?.untilReport === true;

/**
 * Holds on business numbers: nothing is claimed for a number while it is throttled or paused. A throttled one is tried
 * with a single message, and its answer ends the hold. A paused one is tried by asking the platform for its state, or,
 * where that proves nothing (payment), with a single message, whose report ends the hold.
 */
@Injectable()
export class NumberHolds {
  /** Accounts on hold as far as this process knows, so that a success costs no look-up. */
  private readonly held = new Set<string>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly versions: AccountVersions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Puts a number on hold, or prolongs its hold.
   * @param isProbe the refused message was the one let through to see whether the hold can end.
   */
  async hold(accountId: string, trouble: NumberTrouble, isProbe: boolean): Promise<void> {
    this.held.add(accountId);
    if (trouble.kind === 'throttled') await this.throttle(accountId, trouble, isProbe);
    else await this.pause(accountId, trouble);
  }

  /** The platform accepted a message from this number: the first success ends a throttle. */
  async noteSuccess(accountId: string): Promise<void> {
    if (!this.held.delete(accountId)) return;
    await sql.endThrottle.run(this.dataSource, { accountId });
  }

  /** Takes the probes that are due now. Each belongs to this process alone until its lease ends. */
  async takeDueProbes(): Promise<DueProbe[]> {
    const probes = await sql.takeDueProbes.rows(this.dataSource, {
      probeSeconds: probeEverySeconds,
      throttleSeconds: throttleMaxSeconds,
      reportMinutes: reportMaxMinutes,
    });
    for (const { accountId } of probes) this.held.add(accountId);
    return probes;
  }

  /** Notes, before it is sent, which message is the probe of a number that is paused until a report. */
  async noteProbe(accountId: string, messageId: string): Promise<void> {
    await sql.noteProbe.run(this.dataSource, { accountId, messageId });
  }

  /**
   * Lets one message be queued to a paused number, because no queued message can be its probe: of a campaign, a
   * scheduled one, or that of a caller. That message is the probe. The time of the next probe stays what it is.
   */
  async openProbe(accountId: string): Promise<void> {
    await sql.openProbe.run(this.dataSource, { accountId });
  }

  /** A probe says nothing about a throttled number, or there was none: the next message is the probe. */
  async releaseProbe(accountId: string): Promise<void> {
    await sql.releaseProbe.run(this.dataSource, { accountId });
  }

  /**
   * The platform says that a paused number may send again.
   * @param probeId where it said so by reporting this probe; another hold has begun since if the probe is another one.
   */
  async resume(accountId: string, probeId: string | null = null): Promise<void> {
    this.held.delete(accountId);
    const isEnded = await this.change(accountId, (manager) => endHold(manager, accountId, probeId));
    if (isEnded) this.logger.info({ account_id: accountId }, 'the number sends again');
  }

  /**
   * Ends holds whose probe the platform has reported as sent, delivered or read. Only the probe was handed over after
   * the hold began: reports of what was sent before may still come, and prove nothing.
   */
  async resumeReported(): Promise<void> {
    const rows = await sql.listReportedProbes.rows(this.dataSource);
    for (const { id, probeId } of rows) await this.resume(id, probeId);
  }

  /**
   * The platform has reported that a message failed, for a reason that concerns its number. A message that was handed
   * over before the last hold ended says nothing about the number now.
   */
  async holdByReport(accountId: string, trouble: NumberTrouble, messageId: string): Promise<void> {
    const news = await sql.findNewsOfNumber.row(this.dataSource, {
      accountId,
      messageId,
      untilReport: isUntilReport(trouble.code),
    });
    if (news) await this.hold(accountId, trouble, false);
  }

  private async throttle(
    accountId: string,
    trouble: NumberTrouble,
    isProbe: boolean,
  ): Promise<void> {
    await sql.throttleNumber.run(this.dataSource, {
      accountId,
      code: trouble.code,
      reason: trouble.reason,
      maxSeconds: throttleMaxSeconds,
      isProbe,
      slowDown,
    });
  }

  private async pause(accountId: string, trouble: NumberTrouble): Promise<void> {
    const untilReport = isUntilReport(trouble.code);
    const isNew = await this.change(accountId, async (manager) => {
      const paused = await sql.pauseNumber.changed(manager, {
        accountId,
        code: trouble.code,
        reason: trouble.reason,
        probeSeconds: probeEverySeconds,
        untilReport,
      });
      await raiseAlert(manager, {
        accountId,
        kind: 'number_paused',
        subject: 'number',
        message:
          `WhatsApp refuses everything from this number: ${trouble.reason} (${trouble.code}). ` +
          (untilReport
            ? 'Sending is paused. Single messages are tried after 1, 2, 4 … 30 minutes, until WhatsApp ' +
              'reports one as sent.'
            : 'Sending is paused, and Parley checks the number every minute.'),
        details: { platform_code: trouble.code },
      });
      return paused > 0;
    });
    if (isNew) {
      this.logger.error({ account_id: accountId, code: trouble.code }, 'the number is paused');
    }
  }

  /**
   * Changes an account and lets every process know. The version is raised first: it locks the account's row, so that
   * two changes do not wait for each other's alert.
   */
  private async change<T>(
    accountId: string,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const { result, version } = await this.dataSource.transaction(async (manager) => {
      const raised = await raiseVersion(manager, accountId);
      return { result: await work(manager), version: raised };
    });
    await this.versions.publish(accountId, version).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'the change is known everywhere within a minute');
    });
    return result;
  }
}
