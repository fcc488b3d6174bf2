import { secondMs } from '../../../libs/durations/index.ts';
import type { Attempt, Delivery, MessageStatus, TimelineEntry } from '../api/types.ts';
import { clockTime, duration } from '../parts/times.ts';

/** Who noticed a change, where the status alone does not say. */
const sources: Readonly<Record<TimelineEntry['source'], string>> = {
  api: 'Accepted by the API',
  worker: 'Picked up by a worker',
  platform: 'WhatsApp’s answer',
  webhook: 'Reported by WhatsApp',
  recovery: 'Found by recovery',
};

const texts: Partial<Record<MessageStatus, string>> = {
  scheduled: 'Accepted by the API, to be sent later',
  sending: 'On its way to WhatsApp',
  unconfirmed: 'WhatsApp may have it. Parley does not send it again',
  cancelled: 'Taken back before it was sent',
};

/** What happened to a message at a time: a status, a try to send it, the user's answer, or an event for a webhook. */
export type Happening =
  | {
      readonly kind: 'status';
      readonly at: string;
      readonly status: MessageStatus;
      readonly text: string;
      /** Whether the API accepted the message with it: nothing comes before. */
      readonly isAcceptance: boolean;
    }
  | {
      readonly kind: 'attempt';
      readonly at: string;
      readonly attempt: Attempt;
      /** The try that followed. */
      readonly next: Attempt | undefined;
    }
  | { readonly kind: 'answer'; readonly at: string; readonly text: string }
  | { readonly kind: 'delivery'; readonly at: string; readonly delivery: Delivery };

export type TimelineLine = Happening & {
  /** Since the line before; null for the first, and where a clock says that the line before was later. */
  readonly gapMs: number | null;
};

/** What the timeline is made of. */
export interface Story {
  readonly timeline: readonly TimelineEntry[];
  readonly attempts: readonly Attempt[];
  /** The events about the message and about the answers to it, newest first, one for each endpoint. */
  readonly deliveries: readonly Delivery[];
}

const gapMs = (from: { at: string }, to: { at: string }) => Date.parse(to.at) - Date.parse(from.at);

/** The clocks of the API, of a worker and of WhatsApp, which reports whole seconds, may differ by less than this. */
const clocksApartMs = 5_000;

/** The life of a message: what has the lower number comes first, whatever clocks that differ a little say. */
const lives: Partial<Record<MessageStatus, number>> = {
  scheduled: 1,
  queued: 1,
  sending: 1,
  unconfirmed: 2,
  sent: 3,
  failed: 4,
  delivered: 4,
  read: 5,
};

/** The place in the life of a message; undefined for what can happen at any time. */
function lifeOf(happening: Happening): number | undefined {
  switch (happening.kind) {
    case 'status':
      return happening.isAcceptance ? 0 : lives[happening.status];
    case 'attempt':
      return lives.sending;
    case 'answer':
      return lives.read;
    case 'delivery':
      return lifeOfReport(happening.delivery);
  }
}

/** The report of a status comes after that status, and before the next one. */
function lifeOfReport({ event, summary }: Delivery): number | undefined {
  const life = statusEvents.test(event) && lives[summary as MessageStatus];
  return life && life > 1 ? life + 0.5 : undefined;
}

/** Events that may report a status; their summary is the status then. */
const statusEvents = /^(message\.status|whatsapp\..*)$/;

/** By time; by the life of a message where the times are too close to tell. */
function isBefore(line: Happening, other: Happening): boolean {
  const gap = gapMs(line, other);
  const [life, otherLife] = [lifeOf(line), lifeOf(other)];
  const tells = life !== undefined && otherLife !== undefined && life !== otherLife;
  return tells && Math.abs(gap) < clocksApartMs ? life < otherLife : gap >= 0;
}

/** Everything that happened to a message. Statuses stay in their order; all else comes in where it happened. */
export function timelineLines({ timeline, attempts, deliveries }: Story): TimelineLine[] {
  const lines: Happening[] = statusesOf(timeline, attempts.length).map(
    ({ status, at, source }) => ({
      kind: 'status',
      status,
      at,
      text: texts[status] ?? sources[source],
      isAcceptance: source === 'api',
    }),
  );
  const oldestFirst = deliveries.toReversed();
  const others: Happening[] = [
    ...attempts.map((attempt, index): Happening => {
      const next = attempts[index + 1];
      return { kind: 'attempt', at: attempt.started_at, attempt, next };
    }),
    ...answersOf(oldestFirst).map(({ created_at: at, summary }): Happening => {
      const text = summary ? `“${summary}”` : 'By the recipient';
      return { kind: 'answer', at, text };
    }),
    ...oldestFirst.map(
      (delivery): Happening => ({ kind: 'delivery', at: delivery.created_at, delivery }),
    ),
  ];
  for (const other of others) {
    const before = lines.findLastIndex((line) => isBefore(line, other) || isReported(line, other));
    lines.splice(before + 1, 0, other);
  }
  return rising(lines);
}

/** Clocks that differ a little make no step earlier than the one before: it gets the same time, and no difference. */
function rising(lines: readonly Happening[]): TimelineLine[] {
  const shown: TimelineLine[] = [];
  for (const line of lines) {
    const before = shown.at(-1);
    const gap = before ? gapMs(before, line) : null;
    if (before && gap !== null && gap < 0) {
      shown.push({ ...line, at: -gap < clocksApartMs ? before.at : line.at, gapMs: null });
    } else {
      shown.push({ ...line, gapMs: gap });
    }
  }
  return shown;
}

/** Whether a delivery reports a status: it comes after it, though the event may have the earlier time. */
const isReported = (line: Happening, other: Happening) =>
  line.kind === 'status' &&
  other.kind === 'delivery' &&
  statusEvents.test(other.delivery.event) &&
  other.delivery.summary === line.status;

/** Without what a try says: `sending` before it, and `queued` after it where another try follows. */
function statusesOf(entries: readonly TimelineEntry[], tries: number): TimelineEntry[] {
  let begun = tries;
  let ended = tries;
  return entries.filter(({ status, source }) => {
    if (status === 'sending') return --begun < 0;
    if (status === 'queued' && source === 'platform') return --ended < 0;
    return true;
  });
}

/** `delivered 09:25:51.120, after 19 s`: the line has the time of the event. Null where both are nearly the same. */
export function deliveredWords({
  status,
  created_at: created,
  finished_at: finished,
}: Pick<Delivery, 'status' | 'created_at' | 'finished_at'>): string | null {
  if (finished === null || (status !== 'succeeded' && status !== 'failed')) return null;
  const verb = status === 'succeeded' ? 'delivered' : 'failed';
  const tookMs = Date.parse(finished) - Date.parse(created);
  return tookMs < secondMs ? null : `${verb} ${clockTime(finished)}, after ${duration(tookMs)}`;
}

/** One of the events for each answer, which may have gone to several endpoints. */
export function answersOf(deliveries: readonly Delivery[]): Delivery[] {
  const answers = deliveries.filter(({ event }) => event === 'message.received');
  return answers.filter(
    ({ webhook_id: id }, index) => answers.findIndex((each) => each.webhook_id === id) === index,
  );
}

/** How long it took until the message was sent, or failed; null while neither is known. */
export function endWords(entries: readonly TimelineEntry[]): string | null {
  // A scheduled message counts from its release.
  const first = entries.find(({ status }) => status !== 'scheduled');
  const failed = entries.find(({ status }) => status === 'failed');
  const end = failed ?? entries.find(({ status }) => status === 'sent');
  if (!first || !end) return null;
  return `${failed ? 'Failed after' : 'Sent in'} ${duration(Math.max(0, gapMs(first, end)))}`;
}
