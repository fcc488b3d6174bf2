/** A body with a change, and what that is. */
export interface Mutant {
  readonly change: string;
  readonly make: () => object;
}

/** One change of a value. */
interface Change {
  readonly name: string;
  readonly make: (value: unknown) => unknown;
}

/** A place in a body. */
export type Path = readonly (string | number)[];

/** A member that is left out. JSON has no such value. */
const absent = Symbol('absent');

/** Values of every type, and texts that some rule checks. */
const strangers: readonly unknown[] = [
  [null, true, false, 0, 1, -1, 1.5, 9, 10, 100, 101, 2 ** 31, 2 ** 53, 1e21],
  [[], {}, [null], [{}], [[]], [''], ['a'], { a: 1 }, { a: 'b' }, { a: null }, { ' ': {} }],
  ['', ' ', '\n', '\t x', '\u00a0', '\u200b', '\ufeff\u2060', '\u2800', '\u{e0041}', '\u0007'],
  ['a', 'A', '0', '1', '-1', 'true', 'null', 'é', '😀', 'e\u0301', '\ud800', 'a\0b'],
  ['constructor', '__proto__', '+14155550123', '14155550123', '+04155550123', '+1415555'],
  ['+141555', '+1415555012345678', '+14155550123\n', '+1 415 555 0123', '(415) 555-0123'],
  ['+١٤١٥٥٥٥٠١٢٣', '12345678901234567890', 'wamid.X', 'wamid.', 'wamid.a b', 'WAMID.X', 'wamid.é'],
  ['https://example.com', 'HTTP://EXAMPLE.COM', 'http://', 'https://exa mple.com', 'ftp://a.b'],
  ['http://[::1', 'https://a:b@example.com', '//example.com', 'https://example.com:99999'],
  ['01a1fe28-8c51-7333-94e3-3a4f233ab691', '01A1FE28-8C51-7333-94E3-3A4F233AB691'],
  ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['01a1fe28-8c51-0333-04e3-3a4f233ab691', 'urn:uuid:01a1fe28-8c51-7333-94e3-3a4f233ab691'],
  ['{01a1fe28-8c51-7333-94e3-3a4f233ab691}', '01a1fe288c51733394e33a4f233ab691'],
  ['2099-01-31T12:00:00Z', '2099-01-31', '2099-02-31', '2099-01-31T12:00', '2001-01-31T12:00:00Z'],
  ['2099-01-31T25:00:00Z', '2099-01-31T12:00:00.123456789+05:30', '2099-01-31 12:00:00Z'],
  ['+012099-01-31', '203.0.113.7', '203.0.113.0/24', '0.0.0.0/0', '2001:db8::/32'],
  ['203.0.113.7/33', 'fe80::1%eth0', 'a@b.c', 'a@b', 'a b@c.d', '@', 'A@B.C', 'é@ü.test', 'a@b@c'],
  ['password1234', 'correct horse battery'],
].flat();

/** Lengths around which no limit of the document lies are tried too. */
const extraLengths = [1, 2, 3, 12, 50, 254, 255, 256];

/**
 * Every change of a body at one place that any rule could notice.
 * @param document the API document: limits, names and values of enumerations come from all of it.
 * @param schema of the body, to find members that the body does not have.
 */
export function mutationsAt(document: any, schema: any, body: object, path: Path): Mutant[] {
  const value = valueAt(body, path);
  const inside = schemasAt(document, schema, path).flatMap(({ properties = {} }) =>
    Object.keys(properties),
  );
  const isRoot = path.length === 0;
  return changesOf(value, { ...hintsIn(document), inside, isRoot }).map(({ name, make }) => ({
    change: `${path.join('.') || 'body'}: ${name}`,
    make: () => put(body, path, make(value)) as object,
  }));
}

interface Hints {
  readonly lengths: readonly number[];
  readonly words: readonly string[];
}

const hints = new WeakMap<object, Hints>();

function hintsIn(document: any): Hints {
  const known = hints.get(document) ?? { lengths: lengthsIn(document), words: wordsIn(document) };
  hints.set(document, known);
  return known;
}

interface Vocabulary extends Hints {
  readonly inside: readonly string[];
  readonly isRoot: boolean;
}

function changesOf(value: unknown, { lengths, words, inside, isRoot }: Vocabulary): Change[] {
  const changes: Change[] = [];
  if (!isRoot) {
    changes.push({ name: 'left out', make: () => absent });
    for (const stranger of [...strangers, ...words]) {
      changes.push({ name: `is ${JSON.stringify(stranger)}`, make: () => stranger });
    }
    changes.push({ name: 'in a list', make: (given) => [given] });
    changes.push({ name: 'in an object', make: (given) => ({ given }) });
  }
  if (typeof value === 'string') {
    changes.push({ name: 'upper case', make: (given) => String(given).toUpperCase() });
    for (const [before, behind] of [
      [' ', ''],
      ['', ' '],
      ['', '\n'],
      ['\u200b', ''],
      ['x', ''],
      ['', 'x'],
    ]) {
      const name = `with ${JSON.stringify(`${before}…${behind}`)}`;
      changes.push({ name, make: (given) => `${before}${String(given)}${behind}` });
    }
    for (const length of lengths) {
      for (const filler of ['x', '1', '😀', ' ']) {
        const name = `${length} characters with ${filler}`;
        changes.push({ name, make: (given) => filled(String(given), length, filler) });
      }
    }
  } else if (typeof value === 'number') {
    for (const length of lengths) changes.push({ name: `is ${length}`, make: () => length });
    changes.push({ name: 'as a string', make: String });
  } else if (Array.isArray(value)) {
    changes.push({ name: 'twice its first', make: (given) => [...list(given), list(given)[0]] });
    changes.push({ name: 'with a null', make: (given) => [...list(given), null] });
    for (const length of lengths.filter((some) => some <= 120)) {
      changes.push({ name: `${length} items`, make: (given) => repeated(list(given), length) });
    }
  } else if (typeof value === 'object' && value !== null) {
    const own = Object.keys(value);
    const extra = (name: string, entry: unknown) =>
      changes.push({
        name: `and ${name}: ${JSON.stringify(entry)}`,
        make: (given) => ({ ...(given as object), [name]: entry }),
      });
    for (const name of [
      'extra',
      '',
      ' ',
      ' a',
      'a ',
      'x'.repeat(100),
      'x'.repeat(101),
      'toString',
      '0',
    ]) {
      for (const entry of [null, 'a', {}]) extra(name, entry);
    }
    const missing = [...new Set(inside)].filter((name) => !own.includes(name));
    for (const name of missing) for (const entry of strangers) extra(name, entry);
    for (const length of [10, 99, 100, 101]) {
      changes.push({
        name: `${length} members`,
        make: (given) => crowded(given as object, length),
      });
    }
  }
  return changes;
}

/** Every place in a body, the body itself first. */
export function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const parts: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return [path, ...parts.flatMap(([step, part]) => placesIn(part, [...path, step]))];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<any>((part, step) => part[step], value);
}

/** A copy with another value at a path. What it shares with the original is never changed. */
function put(value: any, [step, ...rest]: Path, next: unknown): unknown {
  if (step === undefined) return next;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const changed = put(value[step], rest, next);
  if (changed !== absent) copy[step] = changed;
  else if (Array.isArray(copy)) copy.splice(Number(step), 1);
  else delete copy[step];
  return copy;
}

/** The schemas of an object's place, as far as references and properties lead there. */
function schemasAt(document: any, schema: any, path: Path): any[] {
  const all = partsOf(document, schema);
  const [step, ...rest] = path;
  if (step === undefined) return all;
  return all.flatMap(({ properties = {}, items, additionalProperties }) => {
    const next = typeof step === 'number' ? items : (properties[step] ?? additionalProperties);
    return typeof next === 'object' ? schemasAt(document, next, rest) : [];
  });
}

/** A schema with those that it is composed of. */
function partsOf(document: any, schema: any): any[] {
  const resolved = resolve(document, schema);
  const { anyOf = [], oneOf = [], allOf = [] } = resolved;
  const parts = [...anyOf, ...oneOf, ...allOf];
  return [resolved, ...parts.flatMap((one) => partsOf(document, one))];
}

function resolve(document: any, schema: any): any {
  if (schema.$ref === undefined) return schema;
  const steps = schema.$ref.slice(2).split('/');
  return resolve(
    document,
    steps.reduce((part: any, step: string) => part[step], document),
  );
}

/** Each limit in the schemas of the document, and one beyond. */
function lengthsIn(document: any): number[] {
  const text = JSON.stringify(document.components.schemas);
  const found = [...text.matchAll(/"(?:max|min)(?:Length|Items|Properties|imum)":(\d+)/g)].map(
    ([, limit]) => Number(limit),
  );
  const all = [...found, ...extraLengths].flatMap((limit) => [limit - 1, limit, limit + 1]);
  return [...new Set(all)].filter((length) => length > 0 && length <= 5_000);
}

/** Every value of an enumeration in the document. */
function wordsIn(document: any): string[] {
  const words = new Set<string>();
  JSON.stringify(document.components.schemas, (key, value: unknown) => {
    if (key === 'enum' && Array.isArray(value)) {
      for (const word of value) if (typeof word === 'string') words.add(word);
    }
    return value;
  });
  return [...words];
}

function filled(text: string, length: number, filler: string): string {
  const characters = Array.from(text);
  const missing = Math.max(0, length - characters.length);
  return [...characters.slice(0, length), ...Array.from({ length: missing }, () => filler)].join(
    '',
  );
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A list of a length whose objects have ids of their own. */
function repeated(items: readonly unknown[], length: number): unknown[] {
  return Array.from({ length }, (_, index) =>
    renamed(items[index % Math.max(1, items.length)], index),
  );
}

function renamed(item: unknown, index: number): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  const entries = Object.entries(item).map(([name, value]): [string, unknown] => [
    name,
    name === 'id'
      ? `${index}`
      : Array.isArray(value)
        ? value.map((part, place) => renamed(part, index * 1_000 + place))
        : value,
  ]);
  return Object.fromEntries(entries);
}

function crowded(value: object, length: number): object {
  const [first] = Object.values(value);
  const added = Array.from({ length }, (_, index) => [`m${index}`, first]);
  return Object.fromEntries(added);
}
