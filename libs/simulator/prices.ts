import { dayMs, hourMs } from '#libs/durations';
import { ControlError, objectWith } from './control-request.js';
import type { Conversations } from './conversations.js';
import type { User } from './users.js';
import type { PriceType } from './webhook-body.js';

type ServicePrice = 'free' | 'billed';

/** Parts of an accepted message that decide about its price. */
interface Priced {
  /** `service`, or the template's. */
  readonly category: string;
  readonly user: User;
  readonly phoneNumberId: string;
  readonly atMs: number;
}

const entryPointMs = 72 * hourMs;

/** From this day on, answers and utility within the customer service window are billed as well. */
const serviceBilledFromMs = Date.UTC(2026, 9, 1);

/** What messages cost. */
export class Prices {
  private service: ServicePrice = 'billed';

  constructor(private readonly conversations: Conversations) {}

  /** Sets whether answers within the window are free whatever the date. Throws a `ControlError`. */
  put(body: unknown): { service: ServicePrice } {
    const { service } = objectWith(body, ['service']);
    if (service !== 'free' && service !== 'billed') {
      throw new ControlError('service must be one of free, billed');
    }
    this.service = service;
    return this.shown();
  }

  shown(): { service: ServicePrice } {
    return { service: this.service };
  }

  typeOf({ category, user, phoneNumberId, atMs }: Priced): PriceType {
    if (this.conversations.hasClicked(user, phoneNumberId, atMs - entryPointMs)) {
      return 'free_entry_point';
    }
    const isServiceFree = this.service === 'free' || atMs < serviceBilledFromMs;
    if (!isServiceFree) return 'regular';
    const isFree =
      category === 'service' ||
      (category === 'utility' && this.conversations.hasWritten(user, phoneNumberId, atMs - dayMs));
    return isFree ? 'free_customer_service' : 'regular';
  }
}
