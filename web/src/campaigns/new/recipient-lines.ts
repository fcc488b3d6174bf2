import { cellText } from '../../parts/csv-cell.ts';
import { plainNumber } from '../../parts/phone-number.ts';
import type { CsvRow } from './csv-rows.ts';

/** A variable of the template that a column may fill. */
export interface Variable {
  readonly name: string;
  /** `Body {{1}}`. */
  readonly place: string;
  readonly isRequired: boolean;
  /** A text of the template, which may have no line breaks. */
  readonly isText: boolean;
}

/** Which column fills what, by index; null: none. */
export interface ColumnPlan {
  readonly recipient: number | null;
  readonly reference: number | null;
  /** By the names of variables. */
  readonly variables: Readonly<Record<string, number | null>>;
  /** Whether numbers without + begin with their country code all the same. */
  readonly hasBareCodes: boolean;
}

/** What lines are read by. */
export interface LineRules {
  readonly columns: readonly string[];
  readonly variables: readonly Variable[];
  readonly plan: ColumnPlan;
}

/** A recipient as the API takes them. */
export interface Recipient {
  readonly to?: string;
  readonly to_user_id?: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly reference?: string;
}

/** Why a line is not added. */
export interface LineProblem {
  readonly line: number;
  /** The name of the column, or null where it is the whole line. */
  readonly column: string | null;
  readonly value: string;
  readonly what: string;
  /** Left out: somebody who is there already. Everything else is an error. */
  readonly kind: 'error' | 'left out';
  /** All of the line. */
  readonly cells: readonly string[];
}

const userId = /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/;
const phone = /^\+[1-9]\d{6,14}$/;
const valueMaxLength = 1_024;
const referenceMaxLength = 100;

/** The recipient of a line, or what is wrong with it. */
export function readLine(row: CsvRow, rules: LineRules): Recipient | LineProblem {
  const { columns, plan, variables } = rules;
  const { cells, line } = row;
  if (cells.length !== columns.length) {
    const what = `${cells.length} ${cells.length === 1 ? 'column' : 'columns'}, ${columns.length} expected`;
    return { line, column: null, value: cells.join(' · '), what, kind: 'error', cells };
  }
  const problem = (index: number | null, what: string): LineProblem => ({
    line,
    column: index === null ? null : (columns[index] ?? null),
    value: index === null ? '' : (cells[index] ?? ''),
    what,
    kind: 'error',
    cells,
  });
  const address = addressIn(cellAt(cells, plan.recipient), plan.hasBareCodes);
  if ('fault' in address) return problem(plan.recipient, address.fault);
  const values: Record<string, string> = {};
  for (const { name, place, isRequired, isText } of variables) {
    const index = plan.variables[name] ?? null;
    const value = cellAt(cells, index);
    if (value === '') {
      if (isRequired) return problem(index, `${place} needs a value`);
      continue;
    }
    const fault = valueFault(value, isText);
    if (fault) return problem(index, fault);
    values[name] = value;
  }
  const reference = cellAt(cells, plan.reference);
  if (Array.from(reference).length > referenceMaxLength) {
    return problem(plan.reference, `At most ${referenceMaxLength} characters for a reference`);
  }
  return { ...address, variables: values, ...(reference !== '' && { reference }) };
}

const cellAt = (cells: readonly string[], index: number | null) =>
  index === null ? '' : cellText(cells[index]);

function valueFault(value: string, isText: boolean): string | null {
  if (Array.from(value).length > valueMaxLength) return 'At most 1,024 characters';
  if (!isText) return null;
  if (/[\r\n]/.test(value)) return 'A line break is not allowed here';
  return /\t| {5}/.test(value) ? 'A tab or more than four spaces in a row are not allowed' : null;
}

/** A phone number or a user id of WhatsApp. */
function addressIn(
  text: string,
  hasBareCodes: boolean,
): { to: string } | { to_user_id: string } | { fault: string } {
  if (text === '') return { fault: 'The recipient is missing' };
  if (userId.test(text)) return { to_user_id: text };
  const plain = plainNumber(text).replace(/^00/, '+');
  const to = hasBareCodes && /^[1-9]/.test(plain) ? `+${plain}` : plain;
  if (phone.test(to)) return { to };
  const digits = to.replace(/^\+/, '');
  const other = /[^\d]/.exec(digits)?.[0];
  if (other) return { fault: `“${other}” is not a digit` };
  if (!to.startsWith('+')) return { fault: 'No country code: a number starts with + or 00' };
  if (digits.startsWith('0')) return { fault: 'No country code begins with 0' };
  return { fault: digits.length < 7 ? 'Too short for a number' : 'Too long for a number' };
}

/** Names of columns, as other programs give them, for what a campaign needs. */
const known = {
  recipient: [
    'to',
    'phone',
    'phone_number',
    'number',
    'mobile',
    'recipient',
    'whatsapp',
    'to_user_id',
    'user_id',
  ],
  reference: ['reference', 'customer_no', 'customer_id', 'id'],
};

/** A plan from the names of the columns: variables by their own names. */
export function plannedColumns(
  columns: readonly string[],
  variables: readonly Variable[],
): ColumnPlan {
  const names = columns.map(plainName);
  const find = (wanted: readonly string[]) => {
    const index = names.findIndex((name) => wanted.includes(name));
    return index === -1 ? null : index;
  };
  return {
    recipient: find(known.recipient),
    reference: find(known.reference),
    variables: Object.fromEntries(variables.map(({ name }) => [name, find([plainName(name)])])),
    hasBareCodes: false,
  };
}

const plainName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

/** What a plan still needs before lines can be read, in words; null: nothing. */
export function planFault(
  { recipient, variables }: ColumnPlan,
  all: readonly Variable[],
): string | null {
  if (recipient === null) return 'Choose the column of the recipient.';
  const missing = all.filter(
    ({ name, isRequired }) => isRequired && (variables[name] ?? null) === null,
  );
  return missing.length === 0
    ? null
    : `Choose a column for ${missing.map(({ place }) => place).join(', ')}.`;
}
