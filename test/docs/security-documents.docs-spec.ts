import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey, isWellFormedApiKey } from '../../src/api-keys/api-key-token.js';
import { checkout } from '../support/npm-start.js';

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

describe('docs/asvs.csv', () => {
  const items = read('docs/asvs.csv')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [id = '', level = '', state = ''] = line.split(',');
      return { id, level, state, test: line.slice(line.lastIndexOf(',') + 1) };
    });

  it('has the 253 items of ASVS 5.0, levels 1 and 2, each once', () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    const ofLevel = (wanted: string) => items.filter(({ level }) => level === wanted).length;
    expect([ofLevel('1'), ofLevel('2')]).toEqual([70, 183]);
    for (const { id } of items) expect(id).toMatch(/^V\d{1,2}\.\d\.\d{1,2}$/);
  });

  it('gives each item a state', () => {
    const states = new Set(items.map(({ state }) => state));
    expect([...states].toSorted()).toEqual(['met', 'n/a', 'open', 'operator', 'partly']);
  });

  it('names tests that exist, for four of five items that are met', () => {
    const met = items.filter(({ state }) => state === 'met');
    for (const { test } of items) {
      if (test !== '') expect([test, existsSync(join(checkout, test))]).toEqual([test, true]);
    }
    expect(met.filter(({ test }) => test !== '').length / met.length).toBeGreaterThan(0.8);
  });
});

describe('the patterns for scanners in docs/security.md', () => {
  const [ofKeys, ofSecrets] = [...read('docs/security.md').matchAll(/^regex = '''(.*)'''$/gm)].map(
    ([, pattern = '']) => new RegExp(pattern),
  );

  it('find a whole, well-formed key in the middle of a text', () => {
    for (const mode of ['live', 'test'] as const) {
      const key = createApiKey(mode);
      const [found = ''] = ofKeys?.exec(`curl -H 'X-API-Key: ${key}' https://x`) ?? [];
      expect(found).toBe(key);
      expect(isWellFormedApiKey(found)).toBe(true);
    }
  });

  it('find leaked secrets', () => {
    const secret = `sgsec_${Buffer.alloc(32, 7).toString('base64')}`;
    expect(ofSecrets?.exec(`SECRET="${secret}"`)?.[0]).toBe(secret);
  });
});
