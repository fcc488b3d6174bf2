import { amount } from './numbers.ts';

export interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

/** Characters as the API counts them: an emoji is one. */
export const characters = (text: string) => Array.from(text).length;

/** What is wrong with a text that is too long; undefined for any other. */
export function lengthFault(
  text: string,
  { maxLength }: { readonly maxLength: number },
  end = '.',
): string | undefined {
  const length = characters(text);
  if (length <= maxLength) return;
  return `At most ${amount(maxLength)} characters; this has ${amount(length)}${end}`;
}

/** `1 to 1,000` */
export const rangeWords = ({ minimum, maximum }: Range) =>
  `${amount(minimum)} to ${amount(maximum)}`;

/** What is wrong with the content of a field for a whole number; undefined for an empty one. */
export function numberFault(value: number | string, range: Range, end = '.'): string | undefined {
  const number = Number(value);
  if (value === '') return;
  if (Number.isInteger(number) && number >= range.minimum && number <= range.maximum) return;
  return `A whole number from ${rangeWords(range)}${end}`;
}

/** Only the fields in which something is wrong. */
export const found = <Field extends string>(faults: Partial<Record<Field, string | undefined>>) =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined)) as Partial<
    Record<Field, string>
  >;
