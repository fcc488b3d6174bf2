// Characters for private use mark a template's variables; they do not occur in text.
const filledStart = '\uE000';
const filledEnd = '\uE001';
const missingStart = '\uE002';
const missingEnd = '\uE003';

/** A variable's value in a text, or its braces where it has none, both to be seen as such. */
export const filledText = (value: string, braces: string) =>
  value === '' ? `${missingStart}${braces}${missingEnd}` : `${filledStart}${value}${filledEnd}`;
