import fc from 'fast-check';
import { type Mutation, mutate, type Piece, piecesOf, Raw, textOf } from './json-pieces.js';

const nested = (depth: number, open: string, close: string) =>
  new Raw(open.repeat(depth) + close.repeat(depth));

/** Values that have crashed parsers, databases or pages. */
const hostileValues = fc.constantFrom<Piece>(
  ...[
    ['null', 'true', 'false', '0', '-0', '-1', '1.5', '1e400', '-1e400', '1e-400'],
    ['9007199254740993', '9'.repeat(400), '1E+2', '2147483648', '-9223372036854775809'],
    ['[]', '{}', '[[]]', '[null]', '[{}]', '""', '" "', '"\\u0000"', '"a\\u0000b"'],
    ['"\\ud800"', '"\\udc00"', '"\\ud83d"', '"\\uffff"', '"\\ufeff"', '"\\u202e"', '"\\u2028"'],
    ['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}'],
    ['{"toString":1}', '{"hasOwnProperty":1}', '{"then":1}', '{"length":1e9}', '{"toJSON":1}'],
    ['{"$gt":""}', '{"a":1,"a":2}', 'NaN', 'undefined', 'Infinity', '0x1F', '01', '.5', "'a'"],
    ['"\\"', '"\t"', '"\n"', '"\\x41"', '/* */', '[1,]', '{"a":1,}', '{a:1}', '\u00a0', ''],
  ]
    .flat()
    .map((text) => new Raw(text)),
  ...[
    "' or 1=1 --",
    "'; drop table messages; --",
    '\r\nX-Injected: 1',
    '${jndi:ldap://127.0.0.1/a}',
    '{{constructor.constructor("return 1")()}}',
    '<script>alert(1)</script>',
    '../../../../etc/passwd',
    'file:///etc/passwd',
    'http://169.254.169.254/latest/meta-data/',
    'javascript:alert(1)',
    '%00%0d%0a',
    '%s%n%p',
    'x'.repeat(5_000),
    '😀'.repeat(1_025),
    `${'a'.repeat(5_000)}!`,
    `${'\t'.repeat(5_000)}x`,
    `+${'1'.repeat(5_000)}`,
    `http://${'a.'.repeat(1_000)}`,
    '1('.repeat(5_000),
    '\u0661\u0662\u0663',
    'ＡＢＣ',
    'İ',
    '\u{10ffff}',
    '2026-11-21T12:00:00Z',
    '0001-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '00000000-0000-0000-0000-000000000000',
    '127.0.0.1/33',
    '::ffff:0:0/0',
  ].map((text) => new Raw(JSON.stringify(text))),
  nested(30, '[', ']'),
  nested(33, '[', ']'),
  nested(100_000, '[', ']'),
  new Raw(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`),
  new Raw(`[${'0,'.repeat(20_000)}0]`),
  new Raw(`[${'{},'.repeat(5_000)}{}]`),
  new Raw(`{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":0`).join(',')}}`),
);

/** Any text of any plane of Unicode, and any JSON. */
const values = fc.oneof(
  { weight: 4, arbitrary: hostileValues },
  {
    weight: 2,
    arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => piecesOf(text)),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map(piecesOf) },
  { weight: 1, arbitrary: fc.double().map((number) => new Raw(String(number))) },
);

const hostileNames = [
  ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', 'then'],
  ['toJSON', 'length', '', ' ', 'a.b', 'a[0]', '0', '-1', '\0', '\ud800', '😀', '$where', 'id'],
  'x'.repeat(2_000),
].flat();

/** Changes of values that know the names `known`. */
export function mutations(known: readonly string[]): fc.Arbitrary<Mutation[]> {
  const mutation = fc.record({
    steps: fc.array(fc.nat(11), { maxLength: 5 }),
    kind: fc.constantFrom(
      ...(['replace', 'replace', 'replace', 'remove', 'add', 'repeat'] as const),
    ),
    name: fc.constantFrom(...known, ...hostileNames),
    value: values,
  });
  return fc.array(mutation, { minLength: 1, maxLength: 3 });
}

/** Every name of a member in some values. */
export function namesIn(examples: readonly unknown[]): string[] {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, entry] of Object.entries(value)) {
      if (!Array.isArray(value)) names.add(name);
      collect(entry);
    }
  };
  for (const example of examples) collect(example);
  return [...names];
}

/** JSON text of an example with some changes. */
export function mutated(example: object, changes: readonly Mutation[]): string {
  const root = piecesOf(example);
  if (root instanceof Raw) throw new Error('an example is an object or a list');
  for (const change of changes) mutate(root, change);
  return textOf(root);
}

/** What happens to the bytes of a body on the way. */
const damages = fc.record({
  kind: fc.constantFrom('cut', 'flip', 'insert', 'mark', 'zero'),
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 4 }),
});

function damaged(
  text: string,
  { kind, at, bytes }: typeof damages extends fc.Arbitrary<infer T> ? T : never,
): Buffer {
  const whole = Buffer.from(text);
  const index = Math.floor(at * whole.length);
  if (kind === 'cut') return whole.subarray(0, index);
  if (kind === 'mark') return Buffer.concat([Buffer.from('\ufeff'), whole]);
  const inserted = kind === 'zero' ? Buffer.alloc(4) : Buffer.from(bytes);
  const rest = whole.subarray(kind === 'flip' ? index + inserted.length : index);
  return Buffer.concat([whole.subarray(0, index), inserted, rest]);
}

/** Bodies as bytes: most of them an example with changes, some of them garbage. */
export function hostileBodies(example: object, known: readonly string[]): fc.Arbitrary<Buffer> {
  const changed = mutations(known).map((changes) => mutated(example, changes));
  return fc.oneof(
    { weight: 12, arbitrary: changed.map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: fc.constant(Buffer.from(JSON.stringify(example))) },
    {
      weight: 2,
      arbitrary: fc.tuple(changed, damages).map(([text, damage]) => damaged(text, damage)),
    },
    { weight: 1, arbitrary: values.map((value) => Buffer.from(textOf(value))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  );
}
