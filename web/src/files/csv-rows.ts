import { Parser } from 'papaparse';
import { phoneIn } from '../parts/phone-number.ts';
import { type CsvForm, lengthOf, withPlainLines } from './csv-form.ts';

/** A row and the number of its first line in the file, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Why its cells cannot be told from each other. */
  readonly fault?: string;
}

/** No row is longer, in characters: a quote that opens and does not close would take all that follows. */
const rowMax = 256 * 1024;

/** Browsers do not read a file that is not as it was when it was chosen. */
const unreadable =
  'The browser cannot read the file: it was changed or moved since you chose it. Choose it again.';

/**
 * The rows of a file below its column names, without empty lines, in groups as large as the reader of the file makes
 * them. Never holds more than a part of the file.
 */
export async function* rowsOf(
  file: Blob,
  { encoding, delimiter, head, columns }: CsvForm,
): AsyncGenerator<CsvRow[]> {
  const decoder = new TextDecoder(encoding);
  const reader = file.stream().getReader();
  let held = '';
  let rest = '';
  let line = 1;
  for (let isEnd = false; !isEnd; ) {
    const { value, done } = await reader.read().catch((cause: unknown) => {
      throw new Error(unreadable, { cause });
    });
    isEnd = done;
    held += decoder.decode(value, { stream: !done });
    // The other half of a line break may come next.
    const isCut = !isEnd && held.endsWith('\r');
    rest += withPlainLines(isCut ? held.slice(0, -1) : held);
    held = isCut ? '\r' : '';
    const rows: CsvRow[] = [];
    // Titles may have quotes of any kind.
    while (line <= head && rest.includes('\n')) {
      rest = rest.slice(rest.indexOf('\n') + 1);
      line += 1;
    }
    if (line <= head) continue;
    const found = parsedRows(rest, delimiter, line, isEnd);
    for (const row of found.rows) {
      const length = lengthOf(row.cells);
      if (length === 0) continue;
      rows.push({ ...row, cells: row.cells.slice(0, Math.max(columns.length, length)) });
    }
    ({ rest, line } = found);
    yield rows;
  }
}

/** Why a row has not the cells that its columns need; null: it has. */
export function rowFault({ cells, fault }: CsvRow, columns: readonly string[]): string | null {
  if (fault !== undefined) return fault;
  if (cells.length === columns.length) return null;
  return `${cells.length} ${cells.length === 1 ? 'column' : 'columns'}, ${columns.length} expected`;
}

interface ParsedRows {
  readonly rows: readonly CsvRow[];
  /** What follows the last whole row, and the number of its line. */
  readonly rest: string;
  readonly line: number;
}

/** All whole rows of a text. A row whose quotes go wrong over several lines costs its first line alone. */
function parsedRows(text: string, delimiter: string, from: number, isEnd: boolean): ParsedRows {
  const rows: CsvRow[] = [];
  let rest = text;
  let line = from;
  for (;;) {
    const { data, errors, cursor } = parsed(rest, delimiter, isEnd);
    const isTooLong = !isEnd && rest.length - cursor > rowMax;
    // `"Ann "Lee""` on one line can mean one thing only.
    const wrong = errors.find(({ row, isOpen }) => isOpen || isOverLines(data[row] ?? []));
    const taking = data.findIndex((cells) => hasRowsIn(cells, delimiter));
    const places = [...(wrong ? [wrong.row] : []), ...(taking === -1 ? [] : [taking])];
    const bad = places.length === 0 ? null : Math.min(...places);
    const good = data.slice(0, bad ?? data.length);
    for (const cells of good) {
      rows.push({ line, cells });
      line += 1 + cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
    }
    if (bad === null && !isTooLong) return { rows, rest: rest.slice(cursor), line };
    const start = bad === null ? cursor : parsed(rest, delimiter, isEnd, bad).cursor;
    const end = rest.indexOf('\n', start);
    const cut = end === -1 ? rest.length : end;
    const fault = 'A quote opens here and does not close as it should';
    rows.push({ line, cells: rest.slice(start, cut).split(delimiter), fault });
    line += 1;
    rest = rest.slice(cut + 1);
    if (rest === '') return { rows, rest, line };
  }
}

const isOverLines = (cells: readonly string[]) => cells.some((cell) => cell.includes('\n'));

/** Whether a quote that was left open has taken rows with people into a cell. */
const hasRowsIn = (cells: readonly string[], delimiter: string) =>
  isOverLines(cells) &&
  cells.some((cell) =>
    cell
      .split('\n')
      .slice(1)
      .some((text) => {
        const parts = text.split(delimiter);
        return parts.length > 1 && parts.some((part) => phoneIn(part) !== undefined);
      }),
  );

/** @param count of rows; without it, all of them. */
function parsed(text: string, delimiter: string, isEnd: boolean, count?: number) {
  if (count === 0) return { data: [], errors: [], cursor: 0 };
  const parser = new Parser({ delimiter, newline: '\n', preview: count ?? 0 });
  const { data, errors, meta } = parser.parse(text, 0, !isEnd) as {
    data: string[][];
    errors: { type: string; code: string; row?: number }[];
    meta: { cursor: number };
  };
  const quotes = errors.flatMap(({ type, code, row = 0 }) =>
    type === 'Quotes' ? [{ row, isOpen: code === 'MissingQuotes' }] : [],
  );
  return { data, errors: quotes, cursor: meta.cursor };
}
