import { phoneIn } from '../parts/phone-number.ts';

const userIdForm = /^[A-Z]{2}\.(ENT\.)?[\dA-Za-z]{1,128}$/;

/** What a text is searched in: the recipients, by number or user id, or the callers' own references. */
export function searchFilter(
  text: string,
): { to: string } | { to_user_id: string } | { reference: string } {
  if (userIdForm.test(text.trim())) return { to_user_id: text.trim() };
  const to = phoneIn(text);
  return to === undefined ? { reference: text } : { to };
}
