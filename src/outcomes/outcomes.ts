/** What became of the messages that were accepted in a time, and what users wrote in it. */
export interface Outcomes {
  /** Messages that WhatsApp has taken: those below, and those that failed afterwards. */
  readonly accepted: number;
  /** Of these, those that reached the phone; read ones included. */
  readonly delivered: number;
  readonly read: number;
  /** Whether WhatsApp had taken them or not. */
  readonly failed: number;
  /** Taken by WhatsApp or failed: all whose first outcome is known. */
  readonly concluded: number;
  /** Messages from users. */
  readonly replies: number;
  /** How many messages were delivered after so many milliseconds, which are rounded to two digits. */
  readonly deliveryTimes: Readonly<Record<string, number>>;
}

/**
 * For the database: whether WhatsApp has taken the message with this status and time of sending, whatever became of it
 * afterwards. What was delivered is a part of these, in the overview as in campaigns.
 */
export const isTakenByWhatsapp = (status: string, sentAt: string) =>
  `(${status} = 'sent' or (${status} = 'failed' and ${sentAt} is not null))`;

/** The outcomes of several times as those of one. */
export function sumOfOutcomes(parts: readonly Outcomes[]): Outcomes {
  const sum = (pick: (part: Outcomes) => number) =>
    parts.reduce((total, part) => total + pick(part), 0);
  const deliveryTimes: Record<string, number> = {};
  for (const part of parts) {
    for (const [time, count] of Object.entries(part.deliveryTimes)) {
      deliveryTimes[time] = (deliveryTimes[time] ?? 0) + count;
    }
  }
  return {
    accepted: sum(({ accepted }) => accepted),
    delivered: sum(({ delivered }) => delivered),
    read: sum(({ read }) => read),
    failed: sum(({ failed }) => failed),
    concluded: sum(({ concluded }) => concluded),
    replies: sum(({ replies }) => replies),
    deliveryTimes,
  };
}

/** The time, in milliseconds, within which half of the messages were delivered; null when none was. */
export function medianOf(deliveryTimes: Outcomes['deliveryTimes']): number | null {
  const times = Object.entries(deliveryTimes)
    .map(([time, count]) => ({ time: Number(time), count }))
    .toSorted((a, b) => a.time - b.time);
  let left = times.reduce((sum, { count }) => sum + count, 0) / 2;
  for (const { time, count } of times) {
    left -= count;
    if (left <= 0) return time;
  }
  return null;
}
