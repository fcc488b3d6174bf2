/**
 * Cells that a spreadsheet may take for a formula: what it leaves out in front (blanks, line ends, marks that nobody sees) and
 * then a sign, also a full-width one. Programs differ in what they leave out, so a tab or a line end in front is enough.
 */
const formula = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])/u;

/** Whether a spreadsheet may run a cell with this text. */
export const isFormula = (text: string): boolean => formula.test(text);

/** A text from elsewhere, as a cell that no spreadsheet runs. */
export function textCell(text: string | null): string {
  return text !== null && isFormula(text) ? `'${text}` : (text ?? '');
}

/** One line of CSV (RFC 4180), with its end. */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(',')}\r\n`;
}
