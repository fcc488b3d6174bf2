/**
 * An array for PostgreSQL of what needs no quotes: ids, numbers, words of ours. `pg` would quote and
 * escape each of them, which made most of the garbage of a send.
 */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  let literal = '{';
  for (const value of values) literal += `${literal === '{' ? '' : ','}${value ?? 'NULL'}`;
  return `${literal}}`;
}

/** An array for PostgreSQL of any texts. */
export function textArray(values: readonly (string | null)[]): string {
  return plainArray(values.map((value) => (value === null ? null : quoted(value))));
}

function quoted(text: string): string {
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}

/**
 * Texts without a line feed, such as JSON, as one parameter for `string_to_array($1, E'\n', '')`: no
 * quote within them is escaped here and unescaped there.
 */
export function lines(values: readonly (string | null)[]): string {
  return values.map((value) => value ?? '').join('\n');
}
