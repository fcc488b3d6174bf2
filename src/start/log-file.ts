import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';

const rotateAboveBytes = 20 * 1024 * 1024;
const tailBytes = 64 * 1024;

/**
 * Opens a log for appending; a big one moves to `<path>.1` first. Processes write to it themselves:
 * nothing they say is lost when the supervisor is killed.
 *
 * @returns `fd`, `startsAt` (its length now, in bytes), `write(text)` and `close()`.
 */
export function openLog(path: string) {
  if (existsSync(path) && statSync(path).size > rotateAboveBytes) renameSync(path, `${path}.1`);
  const fd = openSync(path, 'a', 0o600);
  return {
    fd,
    startsAt: fstatSync(fd).size,
    write: (text: Buffer) => writeSync(fd, text),
    close: () => closeSync(fd),
  };
}

/** The last lines of a log since the byte `from`, as a person would want to read them. */
export function tailOf(path: string, from: number): string {
  const text = readSince(path, Math.max(from, statSync(path).size - tailBytes)).text;
  const tail = text.trimEnd().split('\n').slice(-10).map(readable);
  return `${tail.map((line) => `  ${line}`).join('\n')}\n  (${path})`;
}

/**
 * Watches a log for lines of level `error` and `fatal`.
 *
 * @returns a function that gives `{ count, last }` of what came since it was called last.
 */
export function watchErrors(path: string, from: number): () => { count: number; last: string } {
  let position = from;
  let rest = '';
  return () => {
    const { text, end } = readSince(path, position);
    position = end;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const errors = lines.filter((line) => /"level":(?:50|60|"error"|"fatal")/.test(line));
    return { count: errors.length, last: readable(errors.at(-1) ?? '') };
  };
}

function readSince(path: string, from: number): { text: string; end: number } {
  if (!existsSync(path)) return { text: '', end: 0 };
  const size = statSync(path).size;
  const start = from > size ? 0 : from;
  if (size === start) return { text: '', end: size };
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(size - start);
    const length = readSync(fd, buffer, 0, buffer.length, start);
    return { text: buffer.subarray(0, length).toString('utf8'), end: start + length };
  } finally {
    closeSync(fd);
  }
}

/** A JSON log line as `message: reason`; any other line as it is. */
function readable(line: string): string {
  try {
    const { msg, message, err } = JSON.parse(line) as {
      msg?: string;
      message?: string;
      err?: { message?: string };
    };
    const said = [msg ?? message, err?.message].filter(Boolean);
    return said.length > 0 ? [...new Set(said)].join(': ') : line;
  } catch {
    return line;
  }
}
