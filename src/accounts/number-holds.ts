import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { findErrorFacts } from '#libs/whatsapp';
import { endHold, reportedProbeBit } from '../accounts/number-hold.js';
import { raiseAlert } from '../alerts/alerts.js';
import { LOGGER } from '../logging/logging.module.js';
import { AccountVersions, raiseVersion } from './account-versions.js';

/** A throttled number waits 1 s, then twice as long each time, up to this. */
const throttleMaxSeconds = 30;

/** The pace that a number is slowed down to when the platform finds it too fast. */
const slowDown = 0.8;

/** How often a paused number is asked whether it may send again; and the first wait of one that is tried with a message. */
const probeEverySeconds = 60;

/** A number that is paused until a report is tried after 1 minute, then after twice as long each time, up to this. */
const reportMaxMinutes = 30;

const isPausedUntilReport = `hold_kind = 'paused' and hold_until_report`;

/** What an attempt means for all other messages of the same number. */
export interface NumberTrouble {
  readonly kind: 'throttled' | 'paused';
  readonly code: number;
  readonly reason: string;
}

/** A number on hold whose next probe is due. */
export interface DueProbe {
  readonly accountId: string;
  readonly kind: 'throttled' | 'paused' | 'paused_until_report';
}

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
    await this.dataSource.query(
      `update accounts set hold_kind = null, hold_until = null, hold_step = 0, hold_code = null,
         hold_reason = null
       where id = $1 and hold_kind = 'throttled'`,
      [accountId],
    );
  }

  /** Takes the probes that are due now. Each belongs to this process alone until its lease ends. */
  async takeDueProbes(): Promise<DueProbe[]> {
    const [rows]: [{ id: string; kind: DueProbe['kind'] }[], number] = await this.dataSource.query(
      // Taking a probe also sets the time of the next one, so a worker that crashes with its probe delays nothing else.
      `update accounts set hold_probe = null,
         hold_until = now() + case when ${isPausedUntilReport}
           then make_interval(mins => least($3::int, 1 << least(hold_step, 10)))
           else make_interval(secs => case when hold_kind = 'paused' then $1::int else $2::int end) end,
         hold_step = hold_step + case when ${isPausedUntilReport} then 1 else 0 end
       where id in (select a.id from accounts a
         where a.hold_kind is not null
           and (a.hold_until <= now() and a.hold_probe is distinct from 'open'
             or a.hold_probe is not null and (select true from messages m
               where m.status = 'queued' and m.account_id = a.id and m.mode = 'live' limit 1))
         for update skip locked)
       returning id, case when ${isPausedUntilReport} then 'paused_until_report' else hold_kind end as kind`,
      [probeEverySeconds, throttleMaxSeconds, reportMaxMinutes],
    );
    return rows.map(({ id, kind }) => {
      this.held.add(id);
      return { accountId: id, kind };
    });
  }

  /** Notes, before it is sent, which message is the probe of a number that is paused until a report. */
  async noteProbe(accountId: string, messageId: string): Promise<void> {
    await this.dataSource.query(
      `update accounts set hold_probe_id = $2 where id = $1 and ${isPausedUntilReport}`,
      [accountId, messageId],
    );
  }

  /**
   * Lets one message be queued to a paused number, because no queued message can be its probe: of a campaign, a
   * scheduled one, or that of a caller. That message is the probe. The time of the next probe stays what it is.
   */
  async openProbe(accountId: string): Promise<void> {
    await this.dataSource.query(
      `update accounts set hold_until = now(), hold_step = greatest(0, hold_step - 1), hold_probe = 'open'
       where id = $1 and ${isPausedUntilReport}`,
      [accountId],
    );
  }

  /** A probe says nothing about a throttled number, or there was none: the next message is the probe. */
  async releaseProbe(accountId: string): Promise<void> {
    await this.dataSource.query(
      `update accounts set hold_until = now() where id = $1 and hold_kind = 'throttled'`,
      [accountId],
    );
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
    const rows: { id: string; probeId: string }[] = await this.dataSource.query(
      `select a.id, a.hold_probe_id as "probeId" from accounts a
         cross join lateral (select m.status, m.entered from messages m
           where m.id = a.hold_probe_id offset 0) m
       where ${isPausedUntilReport} and m.status = 'sent' and m.entered & ${reportedProbeBit} <> 0`,
    );
    for (const { id, probeId } of rows) await this.resume(id, probeId);
  }

  /**
   * The platform has reported that a message failed, for a reason that concerns its number. A message that was handed
   * over before the last hold ended says nothing about the number now.
   */
  async holdByReport(accountId: string, trouble: NumberTrouble, messageId: string): Promise<void> {
    const news: unknown[] = await this.dataSource.query(
      `select from accounts a join messages m on m.id = $2 and m.account_id = a.id
       where a.id = $1 and m.mode = 'live' and m.status = 'failed'
         and m.sending_at > coalesce(a.hold_ended_at, '-infinity')
         and (a.hold_kind is distinct from 'paused' or $3::boolean and not a.hold_until_report)`,
      [accountId, messageId, isUntilReport(trouble.code)],
    );
    if (news.length > 0) await this.hold(accountId, trouble, false);
  }

  private async throttle(
    accountId: string,
    trouble: NumberTrouble,
    isProbe: boolean,
  ): Promise<void> {
    // Many sends may be refused at once; only the first of them takes a step, and so does a probe.
    await this.dataSource.query(
      `update accounts set hold_kind = 'throttled', hold_code = $2, hold_reason = $3,
         hold_until = now() + make_interval(secs => least($4::int, 1 << least(hold_step, 10))),
         hold_step = hold_step + 1,
         learnt_per_second = case when messages_per_second is not null then greatest(1,
           pace_of(messages_per_second, learnt_per_second, learnt_at) * $6::real) end,
         learnt_at = now()
       where id = $1 and (hold_kind is null or (hold_kind = 'throttled' and $5::boolean))`,
      [accountId, trouble.code, trouble.reason, throttleMaxSeconds, isProbe, slowDown],
    );
  }

  private async pause(accountId: string, trouble: NumberTrouble): Promise<void> {
    const untilReport = isUntilReport(trouble.code);
    const isNew = await this.change(accountId, async (manager) => {
      const [rows]: [unknown[], number] = await manager.query(
        // A pause that ends when the number can be read becomes one until a report, never the other way round.
        `update accounts set hold_kind = 'paused', hold_code = $2, hold_reason = $3,
           hold_step = case when $5::boolean then 1 else 0 end,
           hold_until = now() + make_interval(secs => $4::int),
           hold_until_report = $5, hold_probe = null, hold_probe_id = null
         where id = $1 and (hold_kind is distinct from 'paused' or $5 and not hold_until_report)
         returning id`,
        [accountId, trouble.code, trouble.reason, probeEverySeconds, untilReport],
      );
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
      return rows.length > 0;
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
