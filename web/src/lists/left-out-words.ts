import { isHopeless } from '../../../libs/whatsapp/error-texts.ts';
import type { JobPreview } from '../api/types.ts';
import { meaningOf } from '../parts/failure-meanings.ts';
import { amount, counted, sumOf } from '../parts/numbers.ts';

/** The failures that another try cannot help, each with WhatsApp's code. */
export const hopelessOf = (preview: Pick<JobPreview, 'failed_by_code'> | undefined) =>
  Object.entries(preview?.failed_by_code ?? {})
    .filter(([code]) => isHopeless(code))
    .map(([code, count]) => ({
      code: Number(code),
      count,
      words: `${amount(count)} with ${code}, ${meaningOf(code)}`,
    }));

/** What was delivered, and is not repeated unless somebody asks for it: the filter or a checkbox. */
export const deliveredOf = (
  preview: Pick<JobPreview, 'succeeded'> | undefined,
  status: string | undefined,
) => (status === 'succeeded' ? 0 : (preview?.succeeded ?? 0));

/** `Also repeat the 20 events that were delivered` */
export const deliveredWords = (count: number) =>
  count === 1
    ? 'Also repeat the 1 event that was delivered'
    : `Also repeat the ${counted(count, 'event')} that were delivered`;

const leftOutReasons: Readonly<Record<string, string>> = {
  campaign: 'of campaigns, which have a retry of their own',
  resent: 'sent again before',
  fallback: 'replaced by their fallback',
};

/** `Left out: 5 of campaigns, which have a retry of their own; 1 sent again before.`; null where nothing is. */
export function leftOutWords({ left_out: leftOut }: Pick<JobPreview, 'left_out'>): string | null {
  const parts = Object.entries(leftOut).map(
    ([reason, count]) => `${amount(count)} ${leftOutReasons[reason] ?? reason}`,
  );
  return parts.length > 0 ? `Left out: ${parts.join('; ')}.` : null;
}

/** What the messages that are left out did, and what a single one did. */
const leftOutVerbs: Readonly<Record<string, readonly [several: string, one: string]>> = {
  campaign: [
    'belong to campaigns, which have a retry of their own',
    'belongs to a campaign, which has a retry of its own',
  ],
  resent: ['were sent again before', 'was sent again before'],
  fallback: ['were replaced by their fallback', 'was replaced by its fallback'],
};

/** Why nothing is left: `13 belong to campaigns, which have a retry of their own; 4 cannot be helped by another try` */
export function nothingReasons(
  { left_out: leftOut }: Pick<JobPreview, 'left_out'>,
  hopeless: readonly { readonly count: number }[],
  delivered: number,
): string {
  const reasons = [
    ...Object.entries(leftOut).map(([reason, count]) => {
      const [several, one] = leftOutVerbs[reason] ?? [reason, reason];
      return `${amount(count)} ${count === 1 ? one : several}`;
    }),
    hopeless.length > 0 && `${amount(sumOf(hopeless))} cannot be helped by another try`,
    delivered > 0 && `${amount(delivered)} ${delivered === 1 ? 'was' : 'were'} delivered`,
  ].filter(Boolean);
  return reasons.join('; ') || 'nothing matches the filters any more';
}
