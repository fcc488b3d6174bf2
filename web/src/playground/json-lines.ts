/** Where each value of a JSON text begins: path, as the API writes it → number of the line, from 0. */
function linesOfPaths(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\],:\n]|[^\s{}[\],:"]+/g)].map(
    ([token]) => token,
  );
  let at = 0;
  let line = 0;
  const skipLines = () => {
    for (; tokens[at] === '\n'; at++) line++;
  };
  const value = (path: string) => {
    skipLines();
    lines.set(path, line);
    const token = tokens[at++];
    if (token === '{') {
      for (skipLines(); at < tokens.length && tokens[at] !== '}'; skipLines()) {
        const name = tokens[at++] ?? '';
        const nameLine = line;
        skipLines();
        at++; // The colon.
        const inner = name.slice(1, -1);
        const innerPath = path === '' ? inner : `${path}.${inner}`;
        value(innerPath);
        lines.set(innerPath, nameLine);
        skipLines();
        if (tokens[at] === ',') at++;
      }
      at++;
    } else if (token === '[') {
      let index = 0;
      for (skipLines(); at < tokens.length && tokens[at] !== ']'; skipLines()) {
        value(`${path}[${index++}]`);
        skipLines();
        if (tokens[at] === ',') at++;
      }
      at++;
    }
  };
  value('');
  return lines;
}

/** The lines that faults are about; what is missing is marked where it would belong. */
export function faultyLines(text: string, paths: readonly string[]): Set<number> {
  const lines = linesOfPaths(text);
  return new Set(
    paths.map((path) => {
      let known = path;
      while (known !== '' && !lines.has(known)) known = parentOf(known);
      return lines.get(known) ?? 0;
    }),
  );
}

/** `sections[0].rows` of `sections[0].rows[1]`. */
const parentOf = (path: string) =>
  path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')));
