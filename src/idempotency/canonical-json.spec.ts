import * as fc from 'fast-check';
import { bodyDigest, canonicalJson } from './canonical-json.js';

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, entry]) => [name, shuffled(entry)]),
  );
}

/** A value whose fields are absent where they are null. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, entry]) => entry !== null);
  return Object.fromEntries(given.map(([name, entry]) => [name, withoutNull(entry)]));
}

describe('canonical JSON', () => {
  it('sorts field names at every level and keeps the order of lists', () => {
    expect(canonicalJson({ b: [2, 1, { d: 1, c: 2 }], a: 'x' })).toBe(
      '{"a":"x","b":[2,1,{"c":2,"d":1}]}',
    );
  });

  it('leaves out fields that are null or undefined, at every level, and keeps null in lists', () => {
    expect(canonicalJson({ a: undefined, b: null, c: { d: null }, e: [null] })).toBe(
      '{"c":{},"e":[null]}',
    );
  });

  it('escapes as JSON does', () => {
    expect(canonicalJson({ 'a"b': 'ü\n"' })).toBe('{"a\\"b":"ü\\n\\""}');
  });

  it('means the same as what it was made of, whatever the order of fields', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(withoutNull(JSON.parse(JSON.stringify(value))));
        expect(canonicalJson(shuffled(value))).toBe(text);
      }),
    );
  });
});

describe('the digest of a body', () => {
  it('is 32 bytes, the same for the same meaning and another for any other', () => {
    const digest = bodyDigest({ a: 1, b: 'x' });
    expect(digest).toHaveLength(32);
    expect(bodyDigest({ b: 'x', a: 1 })).toEqual(digest);
    expect(bodyDigest({ a: 1, b: 'x', c: null })).toEqual(digest);
    for (const other of [{ a: 1, b: 'y' }, { a: '1', b: 'x' }, { a: 1, b: 'x', c: '' }, { a: 1 }]) {
      expect(bodyDigest(other)).not.toEqual(digest);
    }
  });
});
