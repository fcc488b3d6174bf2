import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { type DueProbe, NumberHolds } from '../accounts/number-holds.js';
import { CampaignFeeder } from '../campaigns/release/campaign-feeder.js';
import { LOGGER } from '../logging/logging.module.js';
import { MessageClaims } from '../messages/rows/message-claims.js';
import { type ConcludedMessage, MessageConclusions } from '../messages/rows/message-conclusions.js';
import { MessageEndings } from '../messages/rows/message-endings.js';
import { ScheduledRelease } from '../messages/rows/scheduled-release.js';
import { Metrics } from '../metrics/metrics.js';
import { Timers } from '../timers/timers.js';
import { DatabaseAvailability } from './database-availability.js';
import { Dispatcher } from './dispatcher.js';
import { HistoryWatch } from './history-watch.js';
import { PlatformGateway } from './platform-gateway.js';

/** How often an idle worker looks for rows without a hint. */
const dueEveryMs = 1_000;

/** How often leases, final deadlines and holds are checked; callers wait for what is found here. */
const overEveryMs = 500;

/** How often campaigns that run are fed: so far a campaign may be behind its own pace. */
const feedEveryMs = 100;

/** Rows in one statement. */
const batchMax = 200;

/** Finds what no hint announced: due rows, scheduled ones, expired leases, rows past their time, holds. */
@Injectable()
export class Recovery implements OnApplicationBootstrap {
  private readonly timers: Timers;

  constructor(
    private readonly claims: MessageClaims,
    private readonly endings: MessageEndings,
    private readonly dispatcher: Dispatcher,
    private readonly scheduled: ScheduledRelease,
    private readonly campaigns: CampaignFeeder,
    private readonly holds: NumberHolds,
    private readonly platform: PlatformGateway,
    private readonly conclusions: MessageConclusions,
    private readonly store: DatabaseAvailability,
    private readonly history: HistoryWatch,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timers = new Timers(logger, { keepsAlive: true });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.timers.run('run due rows', () => this.recover(() => this.claimDueRows()));
    this.every(dueEveryMs, 'due rows', () => this.claimDueRows());
    this.every(dueEveryMs, 'due rows of numbers with a pace', () => this.findPacedDue());
    this.every(overEveryMs, 'leases', () => this.endLeases());
    this.every(overEveryMs, 'expiry', () => this.expire());
    this.every(overEveryMs, 'holds', () => this.probe());
    this.every(overEveryMs, 'scheduled messages', () => this.release());
    this.every(overEveryMs, 'campaigns', () => this.lookAtCampaigns());
    this.every(feedEveryMs, 'releases of campaigns', () => this.feedCampaigns());
  }

  stop(): void {
    this.timers.stop();
  }

  private every(periodMs: number, name: string, task: () => Promise<void>): void {
    this.timers.every(periodMs, `run ${name}`, () => this.recover(task));
  }

  private async recover(task: () => Promise<void>): Promise<void> {
    await task();
    // The dispatcher holds messages that were offered while the store was away.
    this.dispatcher.pump();
  }

  private async claimDueRows(): Promise<void> {
    for (let isMore = true; isMore; ) {
      // Asks even if there is no room to claim: the answer shows whether the store is there.
      const seenAt = await this.look();
      if (!this.mayClaimDue || this.dispatcher.free === 0) return;
      isMore = await this.dispatcher.claimAndSend(batchMax, (limit, token) =>
        this.claims.claimDue(limit, token, seenAt),
      );
    }
  }

  private get mayClaimDue(): boolean {
    return this.store.mayClaimDue && this.history.mayClaim;
  }

  /** Whether it is still the same database. @returns its clock. */
  private look(): Promise<string> {
    return this.store.ask(() =>
      this.history.look(this.dispatcher.testify(), (before) =>
        this.inBatches(() => this.endings.endForgotten(batchMax, before)),
      ),
    );
  }

  private async findPacedDue(): Promise<void> {
    const { ids, seenAt } = await this.store.ask(() => this.claims.findPacedDue());
    if (this.mayClaimDue) this.dispatcher.offer('found', ids, seenAt);
  }

  private async endLeases(): Promise<void> {
    if (!this.store.mayEndLeases) return;
    const over = await this.inBatches(() => this.endings.endLeases(batchMax));
    if (over > 0) {
      this.logger.error(
        { messages: over },
        'leases expired: WhatsApp may have these messages; they are now unconfirmed',
      );
    }
  }

  private async expire(): Promise<void> {
    // A message that the database forgot, or that its original sent since the copy, must not fail as "not sent".
    if (!this.history.mayClaim) return;
    const expired = await this.inBatches(() => this.endings.expire(batchMax));
    if (expired > 0)
      this.logger.warn({ messages: expired }, 'messages failed because their time ran out');
  }

  private async release(): Promise<void> {
    // Waits as the claim of due rows does: a caller may have got 503, or the database may have forgotten a release.
    for (let isMore = true; isMore && this.mayClaimDue; ) {
      const { queued, failed } = await this.store.ask(() => this.scheduled.release(batchMax));
      this.publish(failed);
      this.dispatcher.offer('scheduled', queued);
      isMore = queued.length + failed.length === batchMax;
    }
  }

  private async lookAtCampaigns(): Promise<void> {
    if (this.mayClaimDue) await this.campaigns.look(this.ask);
  }

  private async feedCampaigns(): Promise<void> {
    if (!this.mayClaimDue) return;
    await this.campaigns.feed(this.ask, (ids) => this.dispatcher.offer('campaign', ids));
  }

  /** Each statement is timed by itself: many that are answered promptly are no sign of an absence. */
  private readonly ask = <T>(question: () => Promise<T>): Promise<T> => this.store.ask(question);

  private async inBatches(next: () => Promise<ConcludedMessage[]>): Promise<number> {
    let count = 0;
    for (;;) {
      const concluded = await this.store.ask(next);
      this.publish(concluded);
      count += concluded.length;
      if (concluded.length < batchMax) return count;
    }
  }

  private publish(concluded: readonly ConcludedMessage[]): void {
    for (const message of concluded) {
      this.conclusions.publish(message);
      this.metrics.sends.inc({ outcome: message.status });
    }
  }

  private async probe(): Promise<void> {
    if (!this.mayClaimDue) return;
    await this.store.ask(() => this.holds.resumeReported());
    if (this.dispatcher.free === 0) return;
    const probes = await this.store.ask(() => this.holds.takeDueProbes());
    for (const probe of probes) {
      if (probe.kind === 'paused') await this.probePaused(probe);
      else await this.probeByMessage(probe);
    }
  }

  private async probeByMessage({ accountId, kind }: DueProbe): Promise<void> {
    const isTaken = await this.dispatcher.claimAndSend(
      1,
      async (_limit, token) => {
        const message = await this.claims.claimProbe(accountId, token);
        if (message) await this.holds.noteProbe(accountId, message.id);
        return message ? [message] : [];
      },
      true,
    );
    if (isTaken) return;
    if (kind === 'throttled') await this.holds.releaseProbe(accountId);
    else await this.holds.openProbe(accountId);
  }

  private async probePaused({ accountId }: DueProbe): Promise<void> {
    const result = await this.platform.checkNumber(accountId);
    const canSend = result.ok && result.phoneNumber.canSendMessage !== 'BLOCKED';
    if (canSend) await this.holds.resume(accountId);
    else this.logger.warn({ account_id: accountId }, 'the number is still paused');
  }
}
