import type { Range } from '../parts/limit-faults.ts';

/** A row of a form: what a field is called, and what is in it. */
export interface FilledRow {
  readonly name: string;
  readonly value: string;
}

/** What a flow reports of its form. A name that is there twice has a list of values, as boxes to tick have. */
export function flowAnswer(rows: readonly FilledRow[]): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const { name, value } of rows) {
    const key = name.trim();
    if (key !== '') values.set(key, [...(values.get(key) ?? []), value]);
  }
  return Object.fromEntries(
    [...values].map(([name, [first = '', ...others]]) => [
      name,
      others.length > 0 ? [first, ...others] : first,
    ]),
  );
}

/** The degrees that a text says; null if it says none, or too many. */
export function degreesIn(text: string, { minimum, maximum }: Range): number | null {
  const degrees = Number(text.trim());
  return text.trim() !== '' && degrees >= minimum && degrees <= maximum ? degrees : null;
}

/** What was written, if anything was. */
export function given<K extends string>(key: K, text: string): { [key in K]?: string } {
  return text.trim() === '' ? {} : ({ [key]: text.trim() } as { [key in K]?: string });
}
