import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { addressOf, call, get } from './client.ts';

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
    expect(addressOf('/contacts/{id}/consent', { id })).toBe(path);
    expect(new URL(path, 'https://parley.example').pathname).toBe(path);
  });

  it('has what is not between its slashes as its query, without what has no value', () => {
    const given = { id: 'a b', q: '+49 & more', limit: 25, status: null, mode: undefined, to: '' };
    expect(addressOf('/campaigns/{id}/recipients', given)).toBe(
      '/campaigns/a%20b/recipients?q=%2B49+%26+more&limit=25',
    );
  });

  it('is made by addressOf wherever a text is put into it', () => {
    const sources = readdirSync('web/src', { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec)\.tsx?$/.test(file))
      .map((file) => `web/src/${file}`);
    expect(sources.length).toBeGreaterThan(300);
    const untagged = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?<![\w}])`\/(?!api\/)[a-z][^`{]*\$\{/g)].map(
        ([text]) => `${file}: ${text}`,
      ),
    );
    expect(untagged).toEqual([]);
  });
});

describe('a call', () => {
  it('compiles only as the document has it', () => {
    const wrong = () => [
      // @ts-expect-error: no such path
      get('/campaign/{id}', { id: 'a' }),
      // @ts-expect-error: no such method
      call('PUT', '/campaigns/{id}', { id: 'a' }),
      // @ts-expect-error: the path has an id
      get('/campaigns/{id}'),
      // @ts-expect-error: no such state
      get('/campaigns', { status: 'ended' }),
      // @ts-expect-error: the body has more
      call('POST', '/campaigns', null, { name: 'a' }),
      // @ts-expect-error: no such field in the answer
      get('/campaigns/{id}', { id: 'a' }).then(({ title }) => title),
    ];
    expect(wrong).toBeInstanceOf(Function);
  });
});
