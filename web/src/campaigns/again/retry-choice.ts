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

/** Who is left of a campaign that has ended: why the failed have failed, and how many got nothing. */
export interface Left {
  readonly causes: readonly RetryCause[];
  /** Recipients of a cancelled campaign to whom it never sent. */
  readonly rest: number;
}

/** What the API is asked for. */
export interface RetryRequest {
  readonly who: 'failed' | 'rest' | 'failed_and_rest';
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

/** What can be done for them at first; null where another try can help nobody. */
export function retryVerb({ causes, rest }: Left): string | null {
  const isHopeful = hopefulOf(causes).length > 0;
  if (isHopeful) return rest > 0 ? 'Retry the failed and the rest' : 'Retry the failed';
  return rest > 0 ? 'Send to the rest' : null;
}

/** What the button says that opens the choice: how many are chosen at first, and of how many. */
export function retryLabel({ causes, rest }: Left): string | null {
  const verb = retryVerb({ causes, rest });
  const hopeful = sumOf(causes.filter(({ isHopeful }) => isHopeful));
  const chosen = hopeful + rest;
  const all = (hopeful > 0 ? sumOf(causes) : 0) + rest;
  return verb && `${verb} (${chosen === all ? '' : `${amount(chosen)} of `}${amount(all)})…`;
}

/** What the choice leads to. */
export function draftWords({ causes, rest }: Left): string {
  const never = 'whose message was never sent';
  const whom =
    causes.length === 0
      ? `the ${counted(rest, 'recipient')} ${never}`
      : `those whose message failed${rest > 0 ? ` and those ${never}` : ''}`;
  return `This makes a draft of ${whom}. Nothing is sent before you start it.`;
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

/** The request for those of these causes and the rest, and how many recipients that is. */
export function retryOf(
  { causes, rest }: Left,
  chosen: readonly string[],
): { readonly count: number; readonly request: RetryRequest } {
  const taken = causes.filter(({ code }) => chosen.includes(code));
  const codes = taken.map(({ code }) => code).filter((code) => /^\d+$/.test(code));
  const reasons = taken.map(({ code }) => code).filter((code) => !/^\d+$/.test(code));
  return {
    count: sumOf(taken) + rest,
    request: {
      who: taken.length === 0 ? 'rest' : rest > 0 ? 'failed_and_rest' : 'failed',
      ...(codes.length > 0 && { codes: codes.map(Number) }),
      ...(reasons.length > 0 && { reasons }),
    },
  };
}
