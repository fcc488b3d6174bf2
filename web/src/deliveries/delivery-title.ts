import type { Delivery } from '../api/types.ts';

type Titled = Pick<Delivery, 'event' | 'summary' | 'user'>;

/** What an event says, for a heading: `Status read, message to +14155550123`. Others are called by their type. */
export function deliveryTitle({ event, summary, user }: Titled): string {
  if (event === 'message.status' && summary !== null) {
    return `Status ${summary}${user === null ? '' : `, message to ${user}`}`;
  }
  if (event === 'message.received' && user !== null) return `Message from ${user}`;
  return event;
}
