/** Why the end of a number finds nothing that is too short for it; undefined for other texts. */
export const fewDigits = (text: string | undefined): string | undefined =>
  text !== undefined && /^\+?\d{1,3}$/.test(text.replaceAll(/[\s().-]/g, ''))
    ? 'Type at least the last four digits of a number'
    : undefined;
