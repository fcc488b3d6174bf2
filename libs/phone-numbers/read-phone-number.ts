/** How a number is read. */
export interface NumberReading {
  /** Whether digits without + or 00 begin with their country code. Default: they are refused. */
  readonly hasBareCodes?: boolean;
}

/** A number in E.164 form, or a sentence that says why the text is none. */
export type NumberRead = { readonly phone: string } | { readonly fault: string };

/**
 * Reads a phone number as people and spreadsheets write it. What can mean one number only is put right; everything else
 * has a fault.
 */
export function readPhoneNumber(
  text: string,
  { hasBareCodes = false }: NumberReading = {},
): NumberRead {
  const tidy = tidied(text);
  const fault = faultOfText(tidy);
  if (fault !== null) return { fault };
  const isBare = /^[1-9]/.test(withoutGrouping(tidy));
  const written = withoutTrunkZero(hasBareCodes && isBare ? `+${tidy}` : withPlus(tidy));
  return typeof written === 'string' ? judged(withoutGrouping(written)) : written;
}

/** The digits of a number or of a part of one, with + if it has one: what a search compares. */
export const plainNumber = (text: string) => withoutGrouping(tidied(text));

function judged(number: string): NumberRead {
  if (/^\+[1-9]\d{6,14}$/.test(number)) return { phone: number };
  const digits = number.replace(/^\+/, '');
  const other = /\D/u.exec(digits)?.[0];
  if (other === '+') return { fault: 'A + stands at the beginning only' };
  if (other !== undefined) return { fault: `“${other}” is not a digit` };
  if (digits === '') return { fault: 'There is no number' };
  if (!number.startsWith('+')) return { fault: 'No country code: a number starts with + or 00' };
  if (digits.startsWith('0')) return { fault: 'No country code begins with 0' };
  return { fault: digits.length < 7 ? 'Too short for a number' : 'Too long for a number' };
}

/** Marks of the direction of writing, which contacts and chats put around numbers. They change no digit. */
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202C\u2066-\u2069]/g;

/** What stands before a number: links, labels, and what exports of advertising write. */
const label =
  /^(?:(?:tel|phone|mobile|mob|cell|whatsapp|wa|sms|callto|p|m|t)\.?\s*:\s*(?:\/\/send\/?\?phone=)?|(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=))/i;

/** What spreadsheets and programs put around a number, taken away. */
function tidied(text: string): string {
  const tidy = text
    .replaceAll(directionMarks, '')
    .replaceAll(/(?!\d)\p{Nd}/gu, asciiDigit)
    .replaceAll('＋', '+')
    .replaceAll('（', '(')
    .replaceAll('）', ')')
    .trim()
    .replace(/^="([^"]*)"$/, '$1')
    .replace(/^["“„]([^"”“]*)["”“]$/, '$1')
    .replace(/^['’‘`´]+/, '')
    .trim();
  // These always have the country code.
  const withCode = /^(\d+)@(?:c\.us|s\.whatsapp\.net)$/.exec(tidy)?.[1];
  if (withCode !== undefined) return `+${withCode}`;
  const found = label.exec(tidy)?.[0];
  const number = found === undefined ? tidy : tidy.slice(found.length).replace(/^%2b/i, '+');
  const isLink = found !== undefined && /wa\.me|phone=/i.test(found) && /^[1-9]/.test(number);
  return withoutDecimals(withoutEnd(`${isLink ? '+' : ''}${number}`));
}

/** Without what a list leaves behind a number. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.,;:-]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A digit of any writing. The ten digits of each stand together, from 0. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** `5511987654321.0` and `5,511,987,654,321.00` are whole numbers that a program has formatted. */
function withoutDecimals(text: string): string {
  if (/^\+?(?:\d{7,15}[.,]0|\d{10,15}[.,]00)$/.test(text)) return text.replace(/[.,]0+$/, '');
  const grouped = /^(\+?\d{1,3}(?:([,'’])\d{3})(?:\2\d{3})+)(?:\.0{1,2})?$/.exec(text)?.[1];
  const dotted = /^(\+?\d{1,3}(?:\.\d{3}){2,}),0{1,2}$/.exec(text)?.[1];
  return (grouped ?? dotted)?.replaceAll(/[,.'’]/g, '') ?? text;
}

/** What people put between digits. */
const withoutGrouping = (text: string) => text.replaceAll(/[\s().\-/[\]·‐-―−]/g, '');

const invisible: Readonly<Record<string, string>> = {
  '\u00ad': 'a soft hyphen',
  '\u200b': 'a zero-width space',
  '\u200c': 'a zero-width non-joiner',
  '\u200d': 'a zero-width joiner',
  '\u2060': 'a word joiner',
  '\u202d': 'a mark that turns the digits round',
  '\u202e': 'a mark that turns the digits round',
};

const countOfDigits = (text: string) => text.replaceAll(/\D/g, '').length;

/** What a text is that has digits and is not one phone number. */
function faultOfText(text: string): string | null {
  const sign = /[\p{Cc}\p{Cf}]/u.exec(text.replaceAll(/[\t\r\n\ufeff]/g, ' '))?.[0];
  if (sign !== undefined) {
    const code = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `Contains ${invisible[sign] ?? 'an invisible sign'} (U+${code})`;
  }
  if (/^[+-]?\d+(?:[.,]\d+)?\s?e\s?\+?\d+$/i.test(text)) {
    return 'The spreadsheet has cut this number: make the column a text and export again';
  }
  if (/^\+?\d{7,}[.,]\d{1,2}$/.test(text)) return 'A decimal number, not a phone number';
  if (/^\+?[-‐-―−]\s*\d/.test(text) || /^\([\d\s.,]+\)$/.test(text)) {
    return 'A negative number, not a phone number';
  }
  if (/\d[\s.,;)]*(?:ext(?:ension|n)?|x|ramal|anexo|poste|#)[\s.:=]*\d{1,7}$/i.test(text)) {
    return 'Has an extension: WhatsApp knows whole numbers only';
  }
  const parts = text
    .split(/[;,|&\n\r]|\s(?:or|and|oder|und|ou|et|o|y|e)\s|(?=\+)|[\s/](?=00)/i)
    .filter((part) => countOfDigits(part) >= 7);
  const isLong = countOfDigits(text) > 15;
  const blocks = isLong ? text.split(/[\s/]+/).filter((part) => countOfDigits(part) >= 7) : [];
  return parts.length > 1 || blocks.length > 1 ? 'Two numbers in one cell' : null;
}

/** Begins with + where it began with 00. */
const withPlus = (text: string) => text.replace(/^([\s([]*)00/, '$1+');

/** The country codes of one and two digits; all others have three. */
const shortCodes = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Where numbers may begin with 0 after the country code: Côte d'Ivoire, Benin, Gabon, Congo, Italy, San Marino, Vatican. */
const withZero = new Set(['225', '229', '241', '242', '39', '378', '379']);

/** Takes away the 0 that is dialled within a country only, as in +44 (0)7700 900118. */
function withoutTrunkZero(text: string): string | { readonly fault: string } {
  const plain = withoutGrouping(text);
  if (!/^\+[1-9]\d+$/.test(plain)) return text;
  const code = shortCodes.exec(plain.slice(1))?.[0] ?? plain.slice(1, 4);
  const number = plain.slice(1 + code.length);
  const [before = '', ...after] = text.split(/[([]\s*0\s*[)\]]/);
  if (after.length > 0) {
    const isAfterCode = after.length === 1 && countOfDigits(before) === code.length;
    if (!isAfterCode || withZero.has(code)) {
      return { fault: 'Write the number without (0), or with 0 where it belongs to the number' };
    }
  }
  if (!number.startsWith('0') || withZero.has(code)) return text;
  if (number.startsWith('00')) return { fault: `No number begins with 00 after +${code}` };
  return `+${code}${number.slice(1)}`;
}
