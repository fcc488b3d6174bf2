import { parse } from 'papaparse';
import type { ConsentScope, ConsentState } from '../api/types.ts';
import { cellText } from '../parts/csv-cell.ts';

/** What rows without a column of their own get. */
export interface ConsentDefaults {
  readonly scope: ConsentScope;
  readonly state: ConsentState;
}

/** A file as an import takes it. */
export interface ConsentFile {
  /** One for each row, in their order. */
  readonly items: readonly Readonly<Record<string, string>>[];
  /** Which of `scope` and `state` the file has. */
  readonly has: readonly string[];
  /** Columns that an import does not know. */
  readonly ignored: readonly string[];
  /** Why nothing can be imported, or null. */
  readonly fault: string | null;
}

const known = ['phone', 'user_id', 'scope', 'state', 'source', 'evidence'];

/** Names that other systems give to columns. */
const aliases: Readonly<Record<string, string>> = {
  phone_number: 'phone',
  mobile: 'phone',
  number: 'phone',
  bsuid: 'user_id',
};

/** Reads a CSV file with a line of column names. Phone numbers may have spaces, brackets and hyphens. */
export function readConsentFile(text: string): ConsentFile {
  const { data, meta } = parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => {
      const plain = name.trim().toLowerCase().replaceAll(/[ -]/g, '_');
      return aliases[plain] ?? plain;
    },
  });
  const columns = meta.fields ?? [];
  const items = data.map((row) =>
    Object.fromEntries(
      known.flatMap((name) => {
        const value = cellOf(name, row[name]);
        return value === '' ? [] : [[name, value]];
      }),
    ),
  );
  return {
    items,
    has: columns.filter((name) => name === 'scope' || name === 'state'),
    ignored: columns.filter((name) => name !== '' && !known.includes(name)),
    fault: faultOf(columns, items.length),
  };
}

function faultOf(columns: readonly string[], count: number): string | null {
  if (!columns.includes('phone') && !columns.includes('user_id')) {
    return 'The first line names no column “phone” or “user_id”.';
  }
  return count === 0 ? 'There is no row below the column names.' : null;
}

function cellOf(name: string, given: string | undefined): string {
  const text = cellText(given);
  if (name === 'phone') {
    const plain = text.replaceAll(/[\s().-]/g, '').replace(/^00/, '+');
    return /^[1-9]\d+$/.test(plain) ? `+${plain}` : plain;
  }
  return text;
}

/** The rows with what they lack. */
export const withDefaults = (
  items: ConsentFile['items'],
  { scope, state }: ConsentDefaults,
): Readonly<Record<string, string>>[] => items.map((item) => ({ scope, state, ...item }));
