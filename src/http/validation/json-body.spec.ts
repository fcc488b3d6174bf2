import { AppError } from '../../errors/app-error.js';
import { bodyMaxBytes, RawBody } from '../server/raw-body.js';
import { parseJsonBody, unstorableFields } from './json-body.js';

const read = (text: string | Buffer, contentType = 'application/json') =>
  parseJsonBody(new RawBody(Buffer.from(text), contentType));

/** The fields that are named when a body is refused. */
function refusal(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') {
      return error.details?.fields;
    }
    throw error;
  }
  return null;
}

const nested = (levels: number) => '{"a":'.repeat(levels - 1).concat('{}', '}'.repeat(levels - 1));

describe('a JSON body', () => {
  it('is read unchanged', () => {
    expect(read('{"a":[1,"ü",null],"b":{"c":true}}')).toEqual({
      a: [1, 'ü', null],
      b: { c: true },
    });
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON ;charset="utf-8"',
  ])('is taken with the content type %s', (contentType) => {
    expect(read('{}', contentType)).toEqual({});
  });

  it.each(['', 'text/plain', 'application/jsonx', 'application/vnd.api+json', 'text/json'])(
    'is refused with the content type "%s"',
    (contentType) => {
      expect(refusal(() => read('{}', contentType))).toEqual({
        body: 'must be sent with Content-Type: application/json',
      });
    },
  );

  it.each([
    '',
    ' ',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{"a":01}',
    '{"a":NaN}',
    '{}{}',
    '{}\u{feff}',
    '\u{feff}\u{feff}{}',
  ])('that is no JSON is refused: %j', (text) => {
    expect(refusal(() => read(text))).toEqual({ body: expect.any(String) });
  });

  it.each(['[]', '"a"', '1', 'null', 'true'])('that is no object is refused: %s', (text) => {
    expect(refusal(() => read(text))).toEqual({ body: 'must be a JSON object' });
  });

  it('is refused when it was too large to be kept', () => {
    const body = new RawBody(Buffer.alloc(0), 'application/json', '', true);
    expect(refusal(() => parseJsonBody(body))).toEqual({
      body: `must be at most ${bodyMaxBytes / 1024} KiB`,
    });
  });

  it.each([
    ['a stray byte', [0xff]],
    ['a cut sequence', [0xc3]],
    ['an overlong sequence', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('with %s is refused: it is no UTF-8', (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(refusal(() => read(body))).toEqual({ body: 'must be UTF-8' });
  });

  it('may be 32 levels deep and no deeper', () => {
    expect(refusal(() => read(nested(32)))).toBeNull();
    expect(refusal(() => read(nested(33)))).toEqual({
      body: 'must not be nested deeper than 32 levels',
    });
    expect(refusal(() => read(`{"a":${'['.repeat(32)}${']'.repeat(32)}}`))).not.toBeNull();
  });

  it('of any depth costs no stack', () => {
    expect(refusal(() => read('['.repeat(200_000)))).not.toBeNull();
  });

  it('counts no brackets inside strings', () => {
    const text = `{"a":"${'[{'.repeat(50)}\\"${'['.repeat(50)}","b\\\\":"["}`;
    expect(refusal(() => read(text))).toBeNull();
  });

  it.each([
    ['NUL', '\\u0000', 'must not contain NUL characters'],
    ['a lone high surrogate', '\\ud83d', 'must not contain lone surrogates'],
    ['a lone low surrogate', '\\ude00', 'must not contain lone surrogates'],
    ['surrogates in the wrong order', '\\ude00\\ud83d', 'must not contain lone surrogates'],
  ])('with %s names every field that has it', (_, escape, rule) => {
    const text = `{"a":"${escape}","b":[{"c":"x${escape}"}],"d":"fine"}`;
    expect(unstorableFields(read(text))).toEqual({ a: rule, 'b[0].c': rule });
  });

  it('takes escaped pairs of surrogates', () => {
    expect(read('{"a":"\\ud83d\\ude00"}')).toEqual({ a: '😀' });
  });

  it.each([
    ['__proto__', '{"__proto__":{"a":1}}', '__proto__'],
    ['__proto__ deep down', '{"a":[{"__proto__":1}]}', 'a[0].__proto__'],
    ['constructor', '{"constructor":1}', 'constructor'],
    ['toString', '{"a":{"toString":"x"}}', 'a.toString'],
    ['NUL', '{"a\\u0000":1}', 'a\ufffd'],
    ['a lone surrogate', '{"a":{"\\ud83d":1}}', 'a.\ufffd'],
  ])(
    'with a field named %s has a field that cannot be kept, and nothing is polluted',
    (_, text, path) => {
      expect(Object.entries(unstorableFields(read(text)) ?? {})).toEqual([
        [path, 'is not an allowed name'],
      ]);
      expect(({} as Record<string, unknown>).a).toBeUndefined();
    },
  );

  it('may begin with a byte-order mark', () => {
    expect(read('\u{feff}{"a":"\u{feff}"}')).toEqual({ a: '\u{feff}' });
  });

  it.each([
    ['at the top', '{"a":1,"b":2,"a":1}', ['a']],
    ['deep down', '{"a":[1,{"b":{"c":1,"d":[],"c":{}}}]}', ['a[1].b.c']],
    ['that is written in two ways', '{"a":{"b":1,"\\u0062":2}}', ['a.b']],
    ['after values with the signs of JSON', '{"a":"\\"},{:","b":["x:",{}],"b":1}', ['b']],
    ['in a value that the second one replaces', '{"a":{"b":1,"b":2},"a":1}', ['a.b', 'a']],
    ['of the name __proto__', '{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['of an empty name', '{"a":{"":1,"":2}}', ['a.']],
    ['three times', '{"a":1,"a":1,"a":1}', ['a']],
  ])('with a member twice names it: %s', (_, text, paths) => {
    expect(refusal(() => read(text))).toEqual(
      Object.fromEntries(paths.map((path) => [path, 'is given more than once'])),
    );
  });

  it('may have one name in several objects, and in strings', () => {
    const text = '{"a":{"a":1,"b":"a:1,\\"a\\":2"},"b":[{"a":1},{"a":1}],"A":1,"":{"":1}}';
    expect(read(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '9007199254740992',
    '-9007199254740992',
    '12345678901234567890',
    '1e21',
    '9007199254740991.6',
  ])('with the integer %s, which would change, names its field', (number) => {
    expect(unstorableFields(read(`{"a":[{"b":${number}}],"c":1}`))).toEqual({
      'a[0].b': expect.stringContaining('send a larger one as a string'),
    });
  });

  it.each(['9007199254740991', '-9007199254740991', '1.5', '0.1', '-0', '1e3'])(
    'with the number %s is fine',
    (number) => {
      expect(unstorableFields(read(`{"a":${number}}`))).toBeNull();
    },
  );

  it('has no place for numbers that JSON cannot hold', () => {
    expect(unstorableFields(read('{"a":[1e999]}'))).toEqual({ 'a[0]': 'must be a finite number' });
  });
});
