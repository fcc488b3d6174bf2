/** `pk_live_` and the first four characters of the random part, which Parley shows of every key; then the secret rest. */
const keyForm = /(pk_(?:live|test)_[\dA-Za-z]{4})[\dA-Za-z]+/g;

/** The text without the secret part of each API key in it: what is sent in an address ends up in logs. */
export const withoutSecret = (text: string): string => text.replace(keyForm, '$1');

/** What a field says that leaves out the secret part of a key. */
export const keyFault =
  'This is an API key. Keep it secret: only its first four characters are searched for.';
