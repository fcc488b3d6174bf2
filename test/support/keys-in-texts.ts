/** API keys as they are written, whole. */
const keyForm = /pk_(?:live|test)_[0-9A-Za-z]{40}/;

/** PostgreSQL's form of it, for a row that is read as text. */
export const keySqlForm = keyForm.source;

/** Around how many characters of a text a key can stand that comes in two pieces. */
const overlap = 60;

/** Watches a stream of text, such as a log, for whole API keys: they must never be written anywhere. */
export class KeyWatch {
  private last = '';
  private found: string | null = null;

  read(text: string): void {
    const joined = this.last + text;
    const at = this.found === null ? joined.search(keyForm) : -1;
    if (at >= 0) this.found = joined.slice(Math.max(0, at - 200), at + 12);
    this.last = joined.slice(-overlap);
  }

  /** @throws Error if a key was written. */
  end(where: string): void {
    if (this.found !== null) {
      throw new Error(`${where} has written a whole API key, after: ${this.found}`);
    }
  }
}
