/** A text from outside as PostgreSQL can take it: without NUL and lone surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** A value as JSON whose strings PostgreSQL can take; `jsonb` refuses them escaped, too. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? storableText(part) : part,
  );
}
