import { readPhoneNumber } from '../../../libs/phone-numbers/read-phone-number.ts';
import type { ConsentScope, ConsentState } from '../api/types.ts';
import { cellFault, cellText } from '../files/cells.ts';
import { columnNames, columnOf, plainName } from '../files/column-names.ts';
import { type CsvForm, type FormChoice, formOf } from '../files/csv-form.ts';
import { type CsvRow, rowFault, rowsOf } from '../files/csv-rows.ts';

/** What rows without a column of their own get. */
export interface ConsentDefaults {
  readonly scope: ConsentScope;
  readonly state: ConsentState;
}

/** How somebody wants a file to be read. */
export interface ConsentReading extends FormChoice {
  /** Whether numbers without + begin with their country code all the same. */
  readonly hasBareCodes?: boolean;
}

/** What a row says, as an import takes it, and the number of its line. */
export interface ConsentRow {
  readonly line: number;
  readonly item: Readonly<Record<string, string>>;
}

/** Why a line is not imported. */
export interface ConsentProblem {
  readonly line: number;
  readonly what: string;
}

/** A file as an import takes it. */
export interface ConsentFile {
  /** How it is written; null if that cannot be told. */
  readonly form: CsvForm | null;
  readonly rows: readonly ConsentRow[];
  readonly problems: readonly ConsentProblem[];
  /** Which of `scope` and `state` the file has. */
  readonly has: readonly string[];
  /** Columns that an import does not know. */
  readonly ignored: readonly string[];
  /** Why nothing can be imported, or null. */
  readonly fault: string | null;
}

const others = ['scope', 'state', 'source', 'evidence'];
const userId = /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/;

const nothing = { form: null, rows: [], problems: [], has: [], ignored: [] };

/** What is said of a file that is not read. */
export const refusedFile = (fault: string): ConsentFile => ({ ...nothing, fault });

/** Reads a CSV file with a line of column names, by the same rules as a file of recipients. */
export async function readConsentFile(
  file: Blob,
  { hasBareCodes = false, ...choice }: ConsentReading = {},
): Promise<ConsentFile> {
  let form: CsvForm;
  try {
    form = await formOf(file, choice);
  } catch (error) {
    return refusedFile(error instanceof Error ? error.message : String(error));
  }
  const { columns } = form;
  const places = new Map<string, number>();
  const named = [
    ['phone', columnNames.phone],
    ['user_id', columnNames.userId],
  ] as const;
  for (const [name, wanted] of [...named, ...others.map((each) => [each, [each]] as const)]) {
    const at = columnOf(columns, wanted);
    if (at !== null) places.set(name, at);
  }
  const taken = new Set(places.values());
  const rows: ConsentRow[] = [];
  const problems: ConsentProblem[] = [];
  for await (const group of rowsOf(file, form)) {
    for (const row of group) {
      const read = itemOf(row, columns, places, hasBareCodes);
      if (typeof read === 'string') problems.push({ line: row.line, what: read });
      else rows.push({ line: row.line, item: read });
    }
  }
  return {
    form,
    rows,
    problems,
    has: ['state', 'scope'].filter((name) => places.has(name)),
    ignored: columns.filter((name, at) => name !== '' && !taken.has(at)).map(plainName),
    fault: faultOf(places, rows.length + problems.length),
  };
}

function faultOf(places: ReadonlyMap<string, number>, count: number): string | null {
  if (!places.has('phone') && !places.has('user_id')) {
    return 'The first line names no column “phone” or “user_id”.';
  }
  return count === 0 ? 'There is no row below the column names.' : null;
}

/** What a row says; a text: what is wrong with it. */
function itemOf(
  row: CsvRow,
  columns: readonly string[],
  places: ReadonlyMap<string, number>,
  hasBareCodes: boolean,
): ConsentRow['item'] | string {
  const fault = rowFault(row, columns);
  if (fault) return fault;
  const item: Record<string, string> = {};
  for (const [name, at] of places) {
    const text = cellText(row.cells[at]);
    if (text === '') continue;
    const wrong = cellFault(text);
    if (wrong) return `${columns[at]}: ${wrong}`;
    if (name !== 'phone' || userId.test(text)) {
      item[name === 'phone' ? 'user_id' : name] = text;
      continue;
    }
    const read = readPhoneNumber(text, { hasBareCodes });
    if ('fault' in read) return `${columns[at]}: ${read.fault}`;
    item.phone = read.phone;
  }
  return 'phone' in item || 'user_id' in item ? item : 'The recipient is missing';
}

/** The rows with what they lack. */
export const withDefaults = (
  rows: ConsentFile['rows'],
  { scope, state }: ConsentDefaults,
): Readonly<Record<string, string>>[] => rows.map(({ item }) => ({ scope, state, ...item }));
