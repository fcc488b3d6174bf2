import { amount, counted, sumOf } from '../../parts/numbers.ts';
import { causesOf, type RetryCause } from './retry-choice.ts';

/**
 * What a retry is of the campaign whose name follows, and who is in it.
 * @param failedByCode why they failed there; the others are of its rest.
 */
export function originWords(failedByCode: Readonly<Record<string, number>>, total: number) {
  const causes = causesOf(failedByCode);
  const [first] = causes;
  if (!first) {
    return { what: 'The rest of', who: `${counted(total, 'recipient')} to whom it never sent.` };
  }
  const failed = sumOf(causes);
  const rest = total > failed ? `, and ${amount(total - failed)} to whom it never sent` : '';
  const whose =
    causes.length === 1
      ? `that failed: ${causeWords(first)}`
      : `that failed: ${causes.map((each) => `${causeWords(each)}: ${amount(each.count)}`).join('; ')}`;
  return { what: 'A retry of', who: `${counted(failed, 'recipient')} ${whose}${rest}.` };
}

/** The meaning; a code of WhatsApp stands behind it, a name of Parley's own does not. */
const causeWords = ({ code, meaning }: RetryCause) =>
  /^\d+$/.test(code) ? `${meaning} (${code})` : meaning;
