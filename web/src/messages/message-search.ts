import { plainNumber } from '../parts/phone-number.ts';

export const idForm = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** What the API takes as a recipient; shorter ones without + are more likely a reference. */
const withPlus = /^\+[1-9]\d{6,14}$/;
const digitsAlone = /^[1-9]\d{9,14}$/;

/** What a text is searched in: the recipients or the callers' own references. */
export function searchFilter(text: string): { to: string } | { reference: string } {
  const number = plainNumber(text);
  if (withPlus.test(number)) return { to: number };
  if (digitsAlone.test(number)) return { to: `+${number}` };
  return { reference: text };
}
