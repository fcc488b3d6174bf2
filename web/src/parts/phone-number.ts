import { plainNumber, readPhoneNumber } from '../../../libs/phone-numbers/read-phone-number.ts';

/** Fewer digits without + are more likely something else. */
const bareMin = 10;

/** The number that somebody searches for, in E.164 form; undefined for any other text. */
export function phoneIn(text: string): string | undefined {
  const read = readPhoneNumber(text, { hasBareCodes: plainNumber(text).length >= bareMin });
  return 'phone' in read ? read.phone : undefined;
}
