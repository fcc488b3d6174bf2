/** Cells that a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t]/;

/** A text from elsewhere, as a cell that no spreadsheet runs. */
export function textCell(text: string | null): string {
  return text !== null && formula.test(text) ? `'${text}` : (text ?? '');
}

/** One line of CSV (RFC 4180), with its end. */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(',')}\r\n`;
}
