import { readPhoneNumber } from '../../../../libs/phone-numbers/read-phone-number.ts';
import { mappedVariableLimits } from '../../api/limits/mapped-variable.ts';
import { newDraftLimits } from '../../api/limits/new-draft.ts';
import { cellFault, cellText } from '../../files/cells.ts';
import { columnNames, columnOf, plainName } from '../../files/column-names.ts';
import { type CsvRow, rowFault } from '../../files/csv-rows.ts';
import { characters } from '../../parts/limit-faults.ts';
import { amount } from '../../parts/numbers.ts';

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
/** What stands in for a value that is missing has the same limit. */
const valueMaxLength = mappedVariableLimits.default.maxLength;
const referenceMaxLength = newDraftLimits.reference.maxLength;

/** The recipient of a line, or what is wrong with it. */
export function readLine(row: CsvRow, rules: LineRules): Recipient | LineProblem {
  const { columns, plan, variables } = rules;
  const { cells, line } = row;
  const fault = rowFault(row, columns);
  if (fault) {
    return { line, column: null, value: cells.join(' · '), what: fault, kind: 'error', cells };
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
    const wrong = valueFault(value, isText);
    if (wrong) return problem(index, wrong);
    values[name] = value;
  }
  const reference = cellAt(cells, plan.reference);
  const wrong = cellFault(reference);
  if (wrong) return problem(plan.reference, wrong);
  if (characters(reference) > referenceMaxLength) {
    return problem(plan.reference, `At most ${referenceMaxLength} characters for a reference`);
  }
  return { ...address, variables: values, ...(reference !== '' && { reference }) };
}

const cellAt = (cells: readonly string[], index: number | null) =>
  index === null ? '' : cellText(cells[index]);

function valueFault(value: string, isText: boolean): string | null {
  if (characters(value) > valueMaxLength) return `At most ${amount(valueMaxLength)} characters`;
  const fault = cellFault(value);
  if (fault) return fault;
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
  const fault = cellFault(text);
  if (fault) return { fault };
  const read = readPhoneNumber(text, { hasBareCodes });
  return 'phone' in read ? { to: read.phone } : read;
}

/** A plan from the names of the columns: variables by their own names. */
export function plannedColumns(
  columns: readonly string[],
  variables: readonly Variable[],
): ColumnPlan {
  return {
    recipient: columnOf(columns, columnNames.recipient),
    reference: columnOf(columns, columnNames.reference),
    variables: Object.fromEntries(
      variables.map(({ name }) => [name, columnOf(columns, [plainName(name)])]),
    ),
    hasBareCodes: false,
  };
}

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
