import type { CampaignCounts, CampaignDetails, CampaignRecipient } from '../api/types.ts';

/** Recipients of one status. */
export interface Part {
  readonly status: CampaignRecipient['status'];
  readonly count: number;
}

type Counted = Pick<CampaignDetails, 'counts' | 'failed_after_sent'>;

type Status = CampaignRecipient['status'];

/** In the order in which a recipient goes through them. */
export const recipientStatuses: readonly Status[] = [
  'pending',
  'released',
  'sending',
  'unconfirmed',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
  'cancelled',
];

/** These are named only while they have recipients. */
const rare = new Set<Status>(['sending', 'unconfirmed', 'cancelled']);

/** What the legend names. The counts add up to the total. */
export const legendOf = (counts: CampaignCounts): Part[] =>
  recipientStatuses
    .map((status) => ({ status, count: counts[status] }))
    .filter(({ status, count }) => count > 0 || !rare.has(status));

/** What the bar shows, from its left end; pending recipients are the empty rest. */
export const barOf = (counts: CampaignCounts): Part[] =>
  legendOf(counts).filter(({ status, count }) => count > 0 && status !== 'pending');

/** What a campaign has come to. */
export interface Figures {
  /** Recipients whose message was sent, or will not be. */
  readonly done: number;
  /** Messages that WhatsApp has taken, whatever became of them afterwards. */
  readonly sent: number;
  /** Of these, those that have arrived. */
  readonly delivered: number;
  /** Messages that were sent or failed. */
  readonly tried: number;
}

/** Recipients with a final answer, and those of whom only WhatsApp's report can still tell; not who still waits to be sent. */
export const doneOf = ({ unconfirmed, sent, delivered, read, failed, skipped }: CampaignCounts) =>
  unconfirmed + sent + delivered + read + failed + skipped;

export function figuresOf({ counts, failed_after_sent: lost }: Counted): Figures {
  const delivered = counts.delivered + counts.read;
  const sent = counts.sent + delivered;
  return {
    done: doneOf(counts),
    sent: sent + lost,
    delivered,
    tried: sent + counts.failed,
  };
}
