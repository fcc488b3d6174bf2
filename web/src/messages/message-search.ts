import { plainNumber } from '../parts/phone-number.ts';

/** What the API takes as a recipient; shorter ones without + are more likely a reference. */
const withPlus = /^\+[1-9]\d{6,14}$/;
const digitsAlone = /^[1-9]\d{9,14}$/;

const userIdForm = /^[A-Z]{2}\.(ENT\.)?[\dA-Za-z]{1,128}$/;

/** What a text is searched in: the recipients, by number or user id, or the callers' own references. */
export function searchFilter(
  text: string,
): { to: string } | { to_user_id: string } | { reference: string } {
  if (userIdForm.test(text.trim())) return { to_user_id: text.trim() };
  const number = plainNumber(text);
  if (withPlus.test(number)) return { to: number };
  if (digitsAlone.test(number)) return { to: `+${number}` };
  return { reference: text };
}
