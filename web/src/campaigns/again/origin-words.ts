import { meaningOf } from '../../parts/failure-meanings.ts';
import { counted } from '../../parts/numbers.ts';
import { causesOf } from './retry-choice.ts';

/**
 * What a retry is of the campaign whose name follows, and who is in it.
 * @param failedByCode why they failed there; nobody of a rest has failed.
 */
export function originWords(failedByCode: Readonly<Record<string, number>>, total: number) {
  const causes = causesOf(failedByCode);
  const [first] = causes;
  if (!first) {
    return { what: 'The rest of', who: `${counted(total, 'recipient')} to whom it never sent.` };
  }
  const whose =
    causes.length === 1
      ? `that failed with ${first.code} (${meaningOf(first.code, 'template')})`
      : `that failed with ${causes.map(({ code, count }) => `${code} (${count})`).join(', ')}`;
  return { what: 'A retry of', who: `${counted(total, 'recipient')} ${whose}.` };
}
