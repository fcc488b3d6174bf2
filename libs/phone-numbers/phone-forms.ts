/** A mobile number, with digits that one of its two forms lacks: before them, the digits, after them. */
const twoForms: readonly { readonly form: RegExp; readonly digits: string }[] = [
  // Brazil: the platform knows numbers from before the ninth digit without it.
  { form: /^(\+55\d\d)(9?)([6-9]\d{7})$/, digits: '9' },
  // Mexico: until 2019, mobile numbers had a 1. No area code begins with 1.
  { form: /^(\+52)(1?)([2-9]\d{9})$/, digits: '1' },
  // Argentina: from abroad, mobile numbers have a 9. Area codes begin with 11, 2 or 3.
  { form: /^(\+54)(9?)((?:11|2\d|3\d)\d{8})$/, digits: '9' },
];

/**
 * The forms of one phone number that follow from the plans of countries; the same as `phone_forms` of the database. The
 * platform tells of others, see `NumberForm`.
 */
export function phoneForms(phone: string): string[] {
  for (const { form, digits } of twoForms) {
    const [, before, has, after] = form.exec(phone) ?? [];
    if (before !== undefined) return [phone, `${before}${has ? '' : digits}${after}`];
  }
  return [phone];
}
