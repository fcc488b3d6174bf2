import type { Delivery, MessageStatus, TimelineEntry } from '../api/types.ts';
import { duration } from '../parts/times.ts';

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

export interface TimelineLine {
  readonly status: MessageStatus | 'answered';
  readonly at: string;
  readonly text: string;
  /** Since the line before; null for the first. */
  readonly gapMs: number | null;
}

const gapMs = (from: { at: string }, to: { at: string }) => Date.parse(to.at) - Date.parse(from.at);

/** The statuses of a message in their order, and each answer where it came. */
export function timelineLines(
  entries: readonly TimelineEntry[],
  answers: readonly Pick<Delivery, 'created_at' | 'summary'>[],
): TimelineLine[] {
  const lines: Omit<TimelineLine, 'gapMs'>[] = entries.map(({ status, at, source }) => ({
    status,
    at,
    text: texts[status] ?? sources[source],
  }));
  for (const { created_at: at, summary } of answers) {
    const before = lines.findLastIndex((line) => gapMs(line, { at }) >= 0);
    const text = summary ? `“${summary}”` : 'By the recipient';
    lines.splice(before + 1, 0, { status: 'answered', at, text });
  }
  return lines.map((line, index) => {
    const before = lines[index - 1];
    return { ...line, gapMs: before ? Math.max(0, gapMs(before, line)) : null };
  });
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
