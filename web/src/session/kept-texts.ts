/** Where this tab keeps what its user has written. It outlives a reload and ends with the tab. */
const place = 'parley.kept';

interface Kept {
  /** The id of the user who wrote it. */
  readonly user: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What is stored; null if it is nothing, or nothing that can be read. */
function readKept(): Kept | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null') as Partial<Kept> | null;
    if (typeof kept?.user !== 'string' || typeof kept.values !== 'object' || !kept.values) {
      return null;
    }
    return { user: kept.user, values: kept.values };
  } catch {
    return null;
  }
}

/** What the user has kept under a name. An earlier version or anybody else may have stored it: check its form. */
export function recallText(user: string, name: string): unknown {
  const kept = readKept();
  return kept?.user === user ? kept.values[name] : undefined;
}

/** Keeps texts, never secrets: whoever can use the tab can read them. */
export function keepText(user: string, name: string, value: unknown): void {
  const kept = readKept();
  const before = kept?.user === user ? kept.values : {};
  try {
    sessionStorage.setItem(place, JSON.stringify({ user, values: { ...before, [name]: value } }));
  } catch {
    // The storage is full. Then a reload brings back what was kept before.
  }
}

/** Deletes what the tab keeps. */
export const forgetTexts = () => sessionStorage.removeItem(place);

/** Deletes what the tab keeps of other users. */
export function forgetTextsOfOthers(user: string): void {
  if (readKept()?.user !== user) forgetTexts();
}
