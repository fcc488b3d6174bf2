/** Browsers name those that they descend from, too: the first match counts. */
const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
];

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Mac', /Macintosh/],
  ['Linux', /Linux/],
];

/** What a session was begun with, as people say it: “Firefox on Linux”. */
export function browserWords(userAgent: string | null): string {
  if (!userAgent) return 'Unknown browser';
  const find = (marks: typeof browsers) => marks.find(([, mark]) => mark.test(userAgent))?.[0];
  const browser = find(browsers);
  const system = find(systems);
  if (browser === undefined) return userAgent.split(' ')[0] ?? userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
