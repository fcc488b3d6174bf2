import { hopelessCodes } from '../../../../libs/whatsapp/error-texts.ts';
import type { CampaignRetries } from '../../api/types.ts';
import { knownTextOf, meaningOf } from '../../parts/failure-meanings.ts';
import { amount, counted, sumOf } from '../../parts/numbers.ts';

/** Why some of the recipients failed who can be tried again. */
export interface RetryCause {
  /** WhatsApp's code, or Parley's reason. */
  readonly code: string;
  readonly count: number;
  readonly meaning: string;
  /** What is known to help; undefined for an unknown cause. */
  readonly advice: string | undefined;
  /** Whether another try can help. */
  readonly isHopeful: boolean;
}

/** What the API is asked for. */
export interface RetryOfCauses {
  readonly who: 'failed';
  readonly codes?: readonly number[];
  readonly reasons?: readonly string[];
}

/** The most frequent one first. */
export const causesOf = (failedByCode: CampaignRetries['failed_by_code']): RetryCause[] =>
  Object.entries(failedByCode)
    .map(([code, count]) => ({
      code,
      count,
      meaning: meaningOf(code, 'template'),
      advice: knownTextOf(code, 'template')?.advice,
      isHopeful: !hopelessCodes.has(code),
    }))
    .toSorted((one, other) => other.count - one.count);

export const hopefulOf = (causes: readonly RetryCause[]): string[] =>
  causes.filter(({ isHopeful }) => isHopeful).map(({ code }) => code);

/** What the button says that opens the choice: how many are chosen at first, and of how many. */
export function retryLabel(causes: readonly RetryCause[]): string {
  const hopeful = sumOf(causes.filter(({ isHopeful }) => isHopeful));
  const all = sumOf(causes);
  return `Retry the failed (${hopeful === all ? '' : `${amount(hopeful)} of `}${amount(all)})…`;
}

/** Who is not in the draft, and why; null where nobody is left out. */
export function leftOutWords(
  causes: readonly RetryCause[],
  chosen: readonly string[],
): string | null {
  const out = causes.filter(({ code }) => !chosen.includes(code));
  const parts = [
    { why: 'another try most likely cannot help', whom: out.filter((each) => !each.isHopeful) },
    { why: 'not chosen', whom: out.filter(({ isHopeful }) => isHopeful) },
  ].filter(({ whom }) => whom.length > 0);
  if (parts.length === 0) return null;
  const count = sumOf(out);
  const reasons = parts.map(({ why, whom }) => {
    const codes = whom.map(({ code }) => code).join(', ');
    return `${why} (${codes})${parts.length > 1 ? `, ${amount(sumOf(whom))}` : ''}`;
  });
  const are = count === 1 ? 'is' : 'are';
  return `${amount(count)} of ${amount(sumOf(causes))} ${are} left out: ${reasons.join('; ')}.`;
}

/** The request for these causes, and how many recipients that is. */
export function retryOf(
  causes: readonly RetryCause[],
  chosen: readonly string[],
): { readonly count: number; readonly request: RetryOfCauses } {
  const taken = causes.filter(({ code }) => chosen.includes(code));
  const codes = taken.map(({ code }) => code).filter((code) => /^\d+$/.test(code));
  const reasons = taken.map(({ code }) => code).filter((code) => !/^\d+$/.test(code));
  return {
    count: sumOf(taken),
    request: {
      who: 'failed',
      ...(codes.length > 0 && { codes: codes.map(Number) }),
      ...(reasons.length > 0 && { reasons }),
    },
  };
}

/** What follows for those to whom the campaign had not sent when it ended. */
export const restWords = (count: number): string =>
  `This makes a draft of the ${counted(count, 'recipient')} whose message was never sent. Nothing is sent before you start it.`;
