import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { endHold } from '../accounts/number-hold.js';
import { raiseAlert } from '../alerts/alerts.js';
import { LOGGER } from '../logging/logging.module.js';
import { AccountVersions, raiseVersion } from './account-versions.js';

/** A throttled number waits 1 s, then twice as long each time, up to this. */
const throttleMaxSeconds = 30;

/** The pace that a number is slowed down to when the platform finds it too fast. */
const slowDown = 0.8;

/** How often a paused number is asked whether it may send again. */
const probeEverySeconds = 60;

/** What an attempt means for all other messages of the same number. */
export interface NumberTrouble {
  readonly kind: 'throttled' | 'paused';
  readonly code: number;
  readonly reason: string;
}

/** A number on hold whose next probe is due. */
export interface DueProbe {
  readonly accountId: string;
  readonly kind: 'throttled' | 'paused';
}

/**
 * Holds on business numbers: nothing is claimed for a number while it is throttled or paused. A
 * throttled one is tried with a single message, a paused one by asking the platform for its state.
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
    const [rows]: [{ id: string; hold_kind: 'throttled' | 'paused' }[], number] =
      await this.dataSource.query(
        `update accounts set hold_until = now() + make_interval(secs =>
           case when hold_kind = 'paused' then $1::int else $2::int end)
         where id in (select id from accounts where hold_kind is not null and hold_until <= now()
                      for update skip locked)
         returning id, hold_kind`,
        [probeEverySeconds, throttleMaxSeconds],
      );
    return rows.map((row) => {
      this.held.add(row.id);
      return { accountId: row.id, kind: row.hold_kind };
    });
  }

  /** There was nothing to probe with: the next message is the probe. */
  async releaseProbe(accountId: string): Promise<void> {
    await this.dataSource.query(
      `update accounts set hold_until = now() where id = $1 and hold_kind = 'throttled'`,
      [accountId],
    );
  }

  /** The platform says that a paused number may send again. */
  async resume(accountId: string): Promise<void> {
    this.held.delete(accountId);
    await this.change(accountId, (manager) => endHold(manager, accountId));
    this.logger.info({ account_id: accountId }, 'the number sends again');
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
    const isNew = await this.change(accountId, async (manager) => {
      const [rows]: [unknown[], number] = await manager.query(
        `update accounts set hold_kind = 'paused', hold_code = $2, hold_reason = $3, hold_step = 0,
           hold_until = now() + make_interval(secs => $4::int)
         where id = $1 and hold_kind is distinct from 'paused' returning id`,
        [accountId, trouble.code, trouble.reason, probeEverySeconds],
      );
      await raiseAlert(manager, {
        accountId,
        kind: 'number_paused',
        subject: 'number',
        message:
          `WhatsApp refuses everything from this number: ${trouble.reason} (${trouble.code}). ` +
          'Sending is paused and tried again every minute.',
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
