import { Parser, parse } from 'papaparse';

/** How a file is written. */
export interface CsvForm {
  readonly encoding: 'utf-8' | 'utf-16le' | 'windows-1252';
  readonly delimiter: string;
  readonly newline: '\n' | '\r\n' | '\r';
  /** The names of the columns; the first line. */
  readonly columns: readonly string[];
}

/** A row and the number of its first line in the file, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** How much of a file is looked at to learn how it is written. */
const headBytes = 64 * 1024;

/**
 * Finds out how a file is written. Spreadsheets write all of these.
 * @throws Error with words for the user, for a file that is no text.
 */
export async function formOf(file: Blob): Promise<CsvForm> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const encoding = encodingOf(bytes);
  if (encoding !== 'utf-16le' && bytes.includes(0)) {
    throw new Error('This is not a text file. In your spreadsheet, save the table as CSV.');
  }
  const { data, meta } = parse<string[]>(new TextDecoder(encoding).decode(bytes), { preview: 20 });
  const newline = meta.linebreak as CsvForm['newline'];
  const columns = (data[0] ?? []).map((name) => name.trim());
  return { encoding, delimiter: meta.delimiter, newline, columns };
}

function encodingOf(bytes: Uint8Array): CsvForm['encoding'] {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  try {
    // A character may be cut at the end of what was read, so more could follow.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/**
 * The rows of a file below its column names, without empty lines, in groups as large as the reader of the file makes
 * them. Never holds more than a part of the file.
 */
export async function* rowsOf(
  file: Blob,
  { encoding, delimiter, newline }: CsvForm,
): AsyncGenerator<CsvRow[]> {
  const parser = new Parser({ delimiter, newline });
  const decoder = new TextDecoder(encoding);
  const reader = file.stream().getReader();
  let rest = '';
  let line = 1;
  for (let isEnd = false; !isEnd; ) {
    const { value, done } = await reader.read();
    isEnd = done;
    rest += decoder.decode(value, { stream: !done });
    const { data, meta } = parser.parse(rest, 0, !done) as {
      data: string[][];
      meta: { cursor: number };
    };
    rest = rest.slice(meta.cursor);
    const rows: CsvRow[] = [];
    for (const cells of data) {
      if (line > 1 && cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells });
      line += 1 + cells.reduce((sum, cell) => sum + newlinesIn(cell), 0);
    }
    yield rows;
  }
}

const newlinesIn = (cell: string) => (cell.includes('\n') ? cell.split('\n').length - 1 : 0);
