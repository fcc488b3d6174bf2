/** Mobile numbers, digits alone, that the platform knows by another form; each with that form. */
const forms: readonly { readonly sent: RegExp; readonly known: string }[] = [
  // Brazil: accounts from before the ninth digit, outside the first area codes.
  { sent: /^(55[3-9]\d)9([6-9]\d{7})$/, known: '$1$2' },
  // Mexico: without the 1 that mobile numbers had.
  { sent: /^(52)1([2-9]\d{9})$/, known: '$1$2' },
  // Argentina: with the 9 of mobile numbers.
  { sent: /^54((?:11|2\d|3\d)\d{8})$/, known: '549$1' },
];

/** What the platform calls a number: its `wa_id`, digits alone. */
export const waIdOf = (digits: string): string => {
  const form = forms.find(({ sent }) => sent.test(digits));
  return form ? digits.replace(form.sent, form.known) : digits;
};
