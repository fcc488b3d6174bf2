type Wanted = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end';

/**
 * The line that keeps a text from being a JSON object, from 0: browsers say that there is one, but most
 * of them not where.
 */
export function brokenLine(text: string): number {
  const ends: string[] = [];
  let wanted: Wanted = 'value';
  const begin = (end: string, next: Wanted): Wanted => {
    ends.push(end);
    return next;
  };
  const after = (isText: boolean, isScalar: boolean, sign: string | undefined): Wanted | null => {
    if (wanted === ':') return sign === ':' ? 'value' : null;
    if (wanted === ', or end') {
      if (sign === ',' && ends.length > 0) return ends.at(-1) === '}' ? 'name' : 'value';
      return sign !== undefined && sign === ends.pop() ? ', or end' : null;
    }
    if (wanted === 'name or }' || wanted === 'name') {
      if (isText) return ':';
    } else {
      if (isText || isScalar) return ', or end';
      if (sign === '{') return begin('}', 'name or }');
      if (sign === '[') return begin(']', 'value or ]');
    }
    return sign !== undefined && wanted.endsWith(`or ${sign}`) && ends.pop() ? ', or end' : null;
  };
  // A text, a number or a word, or one of the signs between them; white space before it.
  const token =
    /\s*(?:("(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true|false|null)|([{}[\],:]))/uy;
  let end = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [, string, scalar, sign] = found;
    const next = after(string !== undefined, scalar !== undefined, sign);
    if (next === null) return lineOf(text, token.lastIndex - 1);
    wanted = next;
    end = token.lastIndex;
  }
  const rest = text.slice(end).search(/\S/);
  if (rest !== -1) return lineOf(text, end + rest);
  // Whole, and no object; or something is missing at the end.
  return wanted === ', or end' && ends.length === 0 ? 0 : lineOf(text, end);
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length - 1;
