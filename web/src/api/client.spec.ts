import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { pathTo } from './client.ts';

describe('a path', () => {
  it.each([
    ['../users', '/contacts/..%2Fusers/consent'],
    ['..', '/contacts/%252e%252e/consent'],
    ['.', '/contacts/%252e/consent'],
    ['%2e%2e', '/contacts/%252e%252e/consent'],
    ['a/b?x=1#y', '/contacts/a%2Fb%3Fx%3D1%23y/consent'],
    [String.raw`..\users`, '/contacts/..%5Cusers/consent'],
    [
      '019a3f6e-0000-7000-8000-000000000001',
      '/contacts/019a3f6e-0000-7000-8000-000000000001/consent',
    ],
  ])('keeps %s between its slashes', (id, path) => {
    expect(pathTo`/contacts/${id}/consent`).toBe(path);
    expect(new URL(path, 'https://parley.example').pathname).toBe(path);
  });

  it('is made by pathTo wherever a text is put into it', () => {
    const sources = readdirSync('web/src', { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec)\.tsx?$/.test(file))
      .map((file) => `web/src/${file}`);
    expect(sources.length).toBeGreaterThan(300);
    const untagged = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?<![\w}])`\/(?!api\/)[a-z][^`]*\$\{/g)].map(
        ([text]) => `${file}: ${text}`,
      ),
    );
    expect(untagged).toEqual([]);
  });
});
