type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>;

/** A text with one more key, as a field would have it; null for a key that changes no text. */
export function typedSoFar(text: string, key: Key): string | null {
  if (key.isComposing) return null;
  if (key.key === 'Backspace') return text.slice(0, -1);
  const isShortcut = (key.ctrlKey || key.metaKey) && !key.altKey;
  return isShortcut || Array.from(key.key).length !== 1 ? null : text + key.key;
}
