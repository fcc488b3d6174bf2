import { hopelessCodes } from '../../../../libs/whatsapp/error-texts.ts';
import type { CampaignRetries } from '../../api/types.ts';
import { knownTextOf, meaningOf } from '../../parts/failure-meanings.ts';
import { counted } from '../../parts/numbers.ts';

/** Why some of the recipients failed who can be tried again. */
export interface RetryCause {
  /** WhatsApp's code, or Parley's reason. */
  readonly code: string;
  readonly count: number;
  readonly meaning: string;
  /** What to do instead, where another try cannot help; undefined where it may. */
  readonly objection: string | undefined;
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
      objection: hopelessCodes.has(code) ? knownTextOf(code, 'template')?.advice : undefined,
    }))
    .toSorted((one, other) => other.count - one.count);

export const hopefulOf = (causes: readonly RetryCause[]): string[] =>
  causes.filter(({ objection }) => objection === undefined).map(({ code }) => code);

/** The request for these causes, and how many recipients that is. */
export function retryOf(
  causes: readonly RetryCause[],
  chosen: readonly string[],
): { readonly count: number; readonly request: RetryOfCauses } {
  const taken = causes.filter(({ code }) => chosen.includes(code));
  const codes = taken.map(({ code }) => code).filter((code) => /^\d+$/.test(code));
  const reasons = taken.map(({ code }) => code).filter((code) => !/^\d+$/.test(code));
  return {
    count: taken.reduce((sum, { count }) => sum + count, 0),
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
