/** Characters that would move the cursor, change colours or turn the line around. */
const unsafe = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** A text of somebody else as one line that a terminal only shows. */
export function printable(text: string): string {
  return text.replaceAll(
    unsafe,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
