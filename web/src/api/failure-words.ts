/** A text of the API as people read it: `must be a list` → `Must be a list.` A field's name stays as it is. */
export function sentence(text: string): string {
  const begun = /^[a-z]+[_.[]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/**
 * The message of a failure. Where it is about one field, `q: must not be blank`, the name comes last.
 * @param fields what is wrong with each field.
 */
export function failureWords(message: string, fields: Readonly<Record<string, string>>): string {
  const [[path, fault] = []] = Object.entries(fields);
  return path !== undefined && fault !== undefined && message === `${path}: ${fault}`
    ? `${sentence(fault).slice(0, -1)} (${path}).`
    : sentence(message);
}
