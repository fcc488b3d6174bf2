/** `pk_live_` and the first four characters of the random part, which Parley shows of every key. */
const keyForm = /^(pk_(?:live|test)_[\dA-Za-z]{4})[\dA-Za-z]+$/;

/** What is sent of a text: of a whole API key only what everyone may see, since addresses end up in logs. */
export const sentText = (text: string): string => text.trim().replace(keyForm, '$1');
