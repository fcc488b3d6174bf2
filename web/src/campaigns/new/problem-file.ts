import { unparse } from 'papaparse';
import type { LineProblem, Variable } from './recipient-lines.ts';

/** The lines with problems as a file of the same columns, to be mended and uploaded. */
export function problemFile(columns: readonly string[], problems: readonly LineProblem[]): Blob {
  const rows = problems.map(({ line, what, cells }) => [...padded(cells, columns), line, what]);
  return csvOf([...columns, 'line', 'problem'], rows);
}

const padded = (cells: readonly string[], columns: readonly string[]) =>
  columns.map((_, index) => cells[index] ?? '');

/** A file with the columns that a campaign needs, and one line as an example. */
export function sampleFile(variables: readonly Variable[]): Blob {
  return csvOf(
    ['phone', ...variables.map(({ name }) => name), 'reference'],
    [['+447700900118', ...variables.map(({ place }) => `Text of ${place}`), '11-0812']],
  );
}

const csvOf = (fields: string[], data: (string | number)[][]) =>
  // A phone number begins with +, which is no formula.
  new Blob(['\ufeff', unparse({ fields, data }, { escapeFormulae: /^[=@\t\r]/ })], {
    type: 'text/csv',
  });
