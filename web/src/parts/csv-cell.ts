/** What a cell of a file says. An export writes an apostrophe before what a program for tables would run. */
export function cellText(cell: string | undefined): string {
  const text = (cell ?? '').trim();
  return /^'[=+\-@\t]/.test(text) ? text.slice(1) : text;
}
