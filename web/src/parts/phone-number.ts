/** What the API takes as a number; shorter ones without + are more likely something else. */
const withPlus = /^\+[1-9]\d{6,14}$/;
const digitsAlone = /^[1-9]\d{9,14}$/;

/** A number with its country code in E.164 form, however it is written; undefined for anything else. */
export function phoneIn(text: string): string | undefined {
  const number = plainNumber(text);
  if (withPlus.test(number)) return number;
  return digitsAlone.test(number) ? `+${number}` : undefined;
}

/** A number as people write it, without what only makes it readable. */
export const plainNumber = (text: string) => text.replaceAll(/[\s().\-‐‑–]/g, '');
