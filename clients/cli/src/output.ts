/** Characters that would move the cursor, change colours or turn the line around. */
const unsafe = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** A text of somebody else as one line that a terminal only shows. */
export function printable(text: string): string {
  return text.replaceAll(
    unsafe,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Prints a value on stdout, for programs as JSON, for people as a line. */
export function print(options: { readonly json?: boolean }, value: unknown, line: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(value) : line}\n`);
}

/** Says something that is for people only. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Texts of somebody else as columns, each as wide as given. */
export function columns(...texts: readonly (readonly [text: string, width: number])[]): string {
  return printable(texts.map(([text, width]) => text.padEnd(width)).join('  ')).trimEnd();
}
