/** A name of the API or of WhatsApp, in ordinary letters: `number_paused` → `Number paused`. */
export function plainWords(name: string): string {
  const words = name.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
