import type { StatusPlan } from './faults.js';
import type { LedgerEntry, MessageStatus } from './ledger.js';
import type { BusinessNumbers } from './numbers.js';
import type { StatusDelays } from './options.js';
import type { Prices } from './prices.js';
import type { User, Users } from './users.js';
import type { Notification, StatusSubject } from './webhook-body.js';
import type { Webhooks } from './webhooks.js';

type Reported = Exclude<MessageStatus, 'accepted'>;

const ladder: readonly Reported[] = ['sent', 'delivered', 'read'];
/** WhatsApp does not report that a reaction arrived. */
const ofReaction: readonly Reported[] = ['sent'];
/** The order that tests a receiver hardest: the last first. */
const outOfOrder: readonly Reported[] = ['read', 'sent', 'delivered'];
const ranks: Readonly<Record<MessageStatus, number>> = {
  accepted: 0,
  sent: 1,
  delivered: 2,
  read: 3,
  failed: 4,
};

/** Reports what becomes of accepted messages. */
export class Statuses {
  private readonly delaysMs: readonly [number, number, number];

  constructor(
    private readonly parts: {
      readonly webhooks: Webhooks;
      readonly numbers: BusinessNumbers;
      readonly users: Users;
      readonly prices: Prices;
    },
    delays: StatusDelays,
  ) {
    this.delaysMs = [delays.sentMs, delays.deliveredMs, delays.readMs];
  }

  /**
   * Begins to report on a message. Returns a promise when the answer to the send has to wait for
   * the first status, else null.
   * @param about whom the message named by a user id, null when it named a number; what the platform calls that number;
   * and the pricing category.
   */
  start(
    entry: LedgerEntry,
    wamid: string,
    { user: named, waId, category }: { user: User | null; waId: string; category: string },
    plan: StatusPlan | null,
  ): Promise<void> | null {
    if (plan?.none === true) return null;
    const { phoneNumberId, atMs } = entry;
    const user = named ?? this.parts.users.byPhone(waId);
    const subject: StatusSubject = {
      wamid,
      number: this.parts.numbers.get(phoneNumberId),
      phone: named === null ? waId : named.hides_phone ? null : named.phone,
      user,
      callback: entry.callback,
      category,
      priceType: this.parts.prices.typeOf({ category, user, phoneNumberId, atMs }),
    };
    const failedCode = plan?.failedCode ?? null;
    const order: readonly Reported[] = failedCode === null ? orderOf(entry, plan) : ['failed'];
    const startMs = plan?.delayMs ?? this.delaysMs[0];
    let first: Promise<void> | null = null;
    for (const [step, status] of order.entries()) {
      const delayMs = startMs + (this.delaysMs[step] ?? 0) - this.delaysMs[0];
      const notification: Notification = {
        kind: 'status',
        subject,
        status,
        // The time when it happened, whatever the order of the reports.
        atSeconds: Math.floor((entry.atMs + this.happensAfterMs(status)) / 1000),
        failedCode,
      };
      if (step === 0 && plan?.beforeAnswer === true) {
        advance(entry, status);
        first = this.parts.webhooks.sendAndWait(notification);
      } else {
        setTimeout(() => this.report(entry, notification, plan), delayMs).unref();
      }
    }
    return first;
  }

  private happensAfterMs(status: Reported): number {
    return this.delaysMs[Math.max(0, ladder.indexOf(status))] ?? 0;
  }

  private report(entry: LedgerEntry, notification: Notification, plan: StatusPlan | null): void {
    if (notification.kind === 'status') advance(entry, notification.status);
    for (let copy = 0; copy < (plan?.twice === true ? 2 : 1); copy++) {
      if (plan?.batch === undefined)
        this.parts.webhooks.send(notification, plan?.badSignature === true);
      else this.parts.webhooks.sendInBatch(notification, plan.batch);
    }
  }
}

const orderOf = ({ type }: LedgerEntry, plan: StatusPlan | null): readonly Reported[] => {
  if (type === 'reaction') return ofReaction;
  return plan?.outOfOrder === true ? outOfOrder : ladder;
};

const advance = (entry: LedgerEntry, status: Reported): void => {
  if (entry.status === null || ranks[status] > ranks[entry.status]) entry.status = status;
};
