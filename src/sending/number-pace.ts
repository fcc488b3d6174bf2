import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { LOGGER } from '../logging/logging.module.js';
import { MessageClaims } from '../messages/rows/message-claims.js';
import { PaceStore } from '../quota/pace-store.js';
import { DatabaseAvailability } from './database-availability.js';
import { Dispatcher } from './dispatcher.js';

/** How often numbers are looked for whose hints were lost, or went to a worker that is gone. */
const lookEveryMs = 1_000;

/** The shortest and the longest wait for tokens; the number's pace may change meanwhile. */
const waitMinMs = 20;
const waitMaxMs = 1_000;

/** The most messages in one claim. */
const batchMax = 100;

/** Which of the messages that a claim has left belong to numbers with a pace. */
const findPacedSql = `
  select distinct m.account_id as id from messages m join accounts a on a.id = m.account_id
  where m.id = any ($1::uuid[]) and m.status = 'queued' and m.mode = 'live'
    and a.messages_per_second is not null`;

const findDueSql = `
  select a.id from accounts a
  where a.messages_per_second is not null and a.hold_kind is null
    and exists (select from messages m
      where m.account_id = a.id and m.mode = 'live' and m.status = 'queued'
        and m.next_attempt_at < now() - interval '1 second')`;

const readPaceSql = `
  select pace_of(messages_per_second, learnt_per_second, learnt_at) as pace,
    clock_timestamp()::text as now
  from accounts where id = $1 and messages_per_second is not null and hold_kind is null`;

/**
 * Sends for numbers with a limit of messages a second. All other claims leave their rows alone. Here,
 * tokens are taken first, from a bucket that all workers share, and then as many of the
 * number's due rows are claimed, the oldest first. Numbers without a limit never come here.
 */
@Injectable()
export class NumberPace implements OnApplicationBootstrap {
  /** Numbers that are sending now, as fast as they may. */
  private readonly sending = new Set<string>();
  /** Numbers that got something new meanwhile. */
  private readonly woken = new Set<string>();
  private left: string[] = [];
  private timer: NodeJS.Timeout | null = null;
  private isStopping = false;
  private isLooking = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly claims: MessageClaims,
    private readonly dispatcher: Dispatcher,
    private readonly paces: PaceStore,
    private readonly store: DatabaseAvailability,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.dispatcher.onUnclaimed((ids) => this.noteLeft(ids));
    this.timer = setInterval(() => void this.look(), lookEveryMs);
  }

  stop(): void {
    this.isStopping = true;
    if (this.timer) clearInterval(this.timer);
  }

  /** Takes ids that a claim named and did not get: some may be of a number with a pace. */
  private noteLeft(ids: readonly string[]): void {
    if (this.left.length === 0) setImmediate(() => void this.findPaced());
    this.left.push(...ids);
  }

  private async findPaced(): Promise<void> {
    const ids = this.left;
    this.left = [];
    await this.wake(findPacedSql, [ids]);
  }

  private async look(): Promise<void> {
    if (this.isLooking || !this.store.mayClaimDue) return;
    this.isLooking = true;
    await this.wake(findDueSql);
    this.isLooking = false;
  }

  /** Lets numbers send. Never rejects: rows that are due stay so. */
  private async wake(findSql: string, values?: unknown[]): Promise<void> {
    try {
      const found: { id: string }[] = await this.store.ask(() =>
        this.dataSource.query(findSql, values),
      );
      for (const { id } of found) {
        this.woken.add(id);
        if (!this.sending.has(id)) void this.send(id);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'could not look for numbers with a pace');
    }
  }

  private async send(accountId: string): Promise<void> {
    this.sending.add(accountId);
    try {
      while (this.woken.delete(accountId)) await this.sendDue(accountId);
    } catch (error) {
      this.logger.warn({ err: error, account_id: accountId }, 'could not send at a pace');
    } finally {
      this.sending.delete(accountId);
    }
  }

  /** Claims what is due of a number, as its tokens allow, until nothing is left. */
  private async sendDue(accountId: string): Promise<void> {
    while (!this.isStopping) {
      const [row]: { pace: number; now: string }[] = await this.store.ask(() =>
        this.dataSource.query(readPaceSql, [accountId]),
      );
      if (!row || !this.store.mayClaimDue) return;
      const count = Math.min(this.dispatcher.free, batchMax);
      if (count === 0) {
        await pause(waitMinMs);
        continue;
      }
      const perSecond = row.pace;
      const { granted, waitMs } = await this.paces.takeTokens({ accountId, perSecond, count });
      if (granted > 0) {
        const claimed = await this.claim(accountId, granted, row.now);
        if (claimed < granted) {
          await this.paces.takeTokens({ accountId, perSecond, count: claimed - granted });
          return;
        }
      } else await pause(Math.min(Math.max(waitMs, waitMinMs), waitMaxMs));
    }
  }

  /** @returns how many were claimed. */
  private async claim(accountId: string, max: number, seenAt: string): Promise<number> {
    let count = 0;
    await this.dispatcher.claimAndSend(max, async (limit, token) => {
      const claimed = await this.claims.claimPaced(accountId, limit, token, seenAt);
      count = claimed.length;
      return claimed;
    });
    return count;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
