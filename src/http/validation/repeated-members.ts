import { shortened } from '../../errors/app-error.js';

/** What shapes a text: brackets, commas, quotes, and escapes, which may hide a quote. */
const tokenForm = /\\.|["{}[\],]/g;

/** An object or a list that has not ended yet. */
interface OpenValue {
  readonly path: string;
  /** The names so far; null in a list. */
  readonly names: Set<string> | null;
  /** The name of the member that is being read. */
  name: string;
  /** Whether a string would be the name of a member. */
  isAtName: boolean;
  /** The place in a list. */
  index: number;
}

/**
 * The members that an object has more than once: `JSON.parse` keeps the last one in silence.
 * @param text valid JSON.
 * @returns what is wrong, by path.
 */
export function repeatedMembers(text: string): Record<string, string> {
  // Without a prototype: a path may be named like one.
  const fields: Record<string, string> = Object.create(null);
  const open: OpenValue[] = [];
  // Where the string began that is being read, or null.
  let start: number | null = null;
  for (const { 0: token, index } of text.matchAll(tokenForm)) {
    const within = open.at(-1);
    if (start !== null) {
      if (token !== '"') continue;
      if (within?.isAtName) takeName(within, text.slice(start, index + 1), fields);
      start = null;
    } else if (token === '"') start = index;
    else if (token === '{' || token === '[') {
      const names = token === '{' ? new Set<string>() : null;
      const path = within ? pathIn(within) : '';
      open.push({ path, names, name: '', isAtName: names !== null, index: 0 });
    } else if (token === '}' || token === ']') open.pop();
    else if (within) {
      within.isAtName = within.names !== null;
      within.index += 1;
    }
  }
  return fields;
}

/** @param written the name as JSON. */
function takeName(within: OpenValue, written: string, fields: Record<string, string>): void {
  within.isAtName = false;
  within.name = String(JSON.parse(written));
  if (within.names?.has(within.name)) fields[pathIn(within)] = 'is given more than once';
  within.names?.add(within.name);
}

const pathIn = ({ path, names, name, index }: OpenValue) =>
  names ? memberPath(path, printable(name)) : `${path}[${index}]`;

/** The path of a member. One long name may have thousands of members, so it is cut. */
export function memberPath(path: string, name: string): string {
  return shortened(path === '' ? name : `${path}.${name}`);
}

/** A name that an answer can hold. */
export function printable(name: string): string {
  return name.isWellFormed() && !name.includes('\0')
    ? name
    : name.toWellFormed().replaceAll('\0', '\u{fffd}');
}
