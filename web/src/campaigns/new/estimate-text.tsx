import type { Campaign, CampaignEstimate } from '../../api/types.ts';
import { limitWords } from '../../parts/messaging-limit.ts';
import { amount, counted } from '../../parts/numbers.ts';
import { sendingWordsOf } from '../campaign-words.ts';

interface EstimateTextProps {
  readonly campaign: Pick<Campaign, 'counts' | 'per_second'>;
  /** Undefined until it is known. */
  readonly estimate: CampaignEstimate | undefined;
}

/** What the campaign would do if it were started now. */
export function EstimateText({ campaign, estimate }: EstimateTextProps) {
  const { counts } = campaign;
  if (counts.total === 0) return <span className="secondary">Nobody is in the campaign yet.</span>;
  if (!estimate) return <span className="secondary">{counted(counts.total, 'recipient')}</span>;
  const { recipients, opted_out: out, seconds, messaging_limit: limit } = estimate;
  return (
    <span className="secondary" aria-live="polite">
      Estimate: {sendingWordsOf(recipients, seconds)}.
      {out > 0 && ` ${amount(out)} opted out and skipped.`}
      {limit !== null && ` WhatsApp’s limit: ${limitWords(limit)}.`}
    </span>
  );
}
