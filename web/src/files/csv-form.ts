import { parse } from 'papaparse';
import { isRecipientName } from './column-names.ts';
import { type Encoding, encodingOf } from './encoding.ts';

/** What separates the cells of a line. */
export const delimiters = [';', ',', '\t', '|'] as const;

/** How a file is written. */
export interface CsvForm {
  readonly encoding: Encoding;
  readonly delimiter: string;
  /** The line with the names of the columns, from 1. What is above it is no row. */
  readonly head: number;
  /** The names of the columns. */
  readonly columns: readonly string[];
}

/** What somebody has chosen; the rest is found out. */
export type FormChoice = Partial<Pick<CsvForm, 'encoding' | 'delimiter'>>;

/** How much of a file is looked at to find its columns, in bytes and rows. */
const headBytes = 64 * 1024;
const headRows = 50;
/** Titles above the names take fewer lines. */
const titlesMax = 15;

/**
 * Finds out how a file is written.
 * @throws Error with words for the user, for a file that is no text.
 */
export async function formOf(file: Blob, choice: FormChoice = {}): Promise<CsvForm> {
  const encoding = choice.encoding ?? (await encodingOf(file));
  const bytes = await file.slice(0, headBytes).arrayBuffer();
  // The last line may be cut.
  const text = withPlainLines(
    new TextDecoder(encoding).decode(bytes, { stream: file.size > headBytes }),
  );
  const lines = file.size > headBytes ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  const named = /^"?sep=(.)"?\n/i.exec(lines)?.[1];
  const body = named === undefined ? lines : lines.slice(lines.indexOf('\n') + 1);
  const delimiter = choice.delimiter ?? named ?? delimiterOf(body);
  const rows = rowsOf(body, delimiter);
  const at = headIndex(rows);
  const names = (rows[at] ?? []).map((name) => name.trim());
  const before = rows.slice(0, at).flat();
  const head =
    1 +
    (named === undefined ? 0 : 1) +
    at +
    before.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
  // Some programs end each line with delimiters: no column is there.
  const width = Math.max(
    lengthOf(names),
    ...rows.slice(at + 1).map((cells) => Math.min(names.length, lengthOf(cells))),
  );
  return { encoding, delimiter, head, columns: names.slice(0, width) };
}

/** One kind of line break, whatever the file has. A last `\r` must not be cut from its `\n`. */
export const withPlainLines = (text: string) => text.replaceAll(/\r\n?/g, '\n');

const rowsOf = (text: string, delimiter: string, preview = headRows) =>
  parse<string[]>(text, { delimiter, newline: '\n', preview }).data;

/** The number of cells up to the last that says something. */
export const lengthOf = (cells: readonly string[]) =>
  cells.findLastIndex((cell) => cell.trim() !== '') + 1;

/** The delimiter that gives most rows the same number of columns; of two, the one with more columns. */
function delimiterOf(text: string): string {
  const scored = delimiters.map((delimiter) => {
    const counts = new Map<number, number>();
    const rows = rowsOf(text, delimiter).filter((cells) => lengthOf(cells) > 0);
    for (const { length } of rows) {
      if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
    }
    const [columns, alike] = [...counts].toSorted(
      ([columnsOne, one], [columnsOther, other]) => other - one || columnsOther - columnsOne,
    )[0] ?? [1, 0];
    const isNamed = rows.slice(0, titlesMax).some((cells) => cells.some(isRecipientName));
    return { delimiter, columns, alike, isNamed };
  });
  const [best] = scored.toSorted(
    (one, other) =>
      Number(other.isNamed && other.columns > 1) - Number(one.isNamed && one.columns > 1) ||
      other.alike - one.alike ||
      other.columns - one.columns,
  );
  return best && best.columns > 1 ? best.delimiter : ',';
}

/** The row that names the columns: there may be titles above it. */
function headIndex(rows: readonly (readonly string[])[]): number {
  const first = rows.slice(0, titlesMax);
  const named = first.findIndex((cells) => cells.some(isRecipientName));
  if (named !== -1) return named;
  const isWide = rows.some((cells) => filled(cells) > 1);
  return Math.max(
    0,
    first.findIndex((cells) => filled(cells) > (isWide ? 1 : 0)),
  );
}

const filled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length;
