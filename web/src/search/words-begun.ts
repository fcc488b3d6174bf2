const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Fewer letters are the beginning of a word that is still being typed, or of a reference. */
const wordMin = 2;

/** Whether what is asked for are beginnings of the words of a text, the first of them more than a letter. */
export function hasWords(text: string, asked: string): boolean {
  const [first = '', ...others] = wordsOf(asked);
  const words = wordsOf(text);
  return (
    first.length >= wordMin &&
    [first, ...others].every((each) => words.some((word) => word.startsWith(each)))
  );
}
