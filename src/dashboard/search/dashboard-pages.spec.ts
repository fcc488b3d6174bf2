import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../access/signed-in-user.js';
import { findPages } from './dashboard-pages.js';

const titles = (text: string, role: Role = 'operator') =>
  findPages(text, role, 3).map(({ title }) => title);

describe('the pages of the dashboard', () => {
  it('are found by the beginnings of words, those of the title first', () => {
    expect(titles('audit')).toEqual(['Audit log']);
    expect(titles('key')).toEqual(['API keys', 'New API key']);
    expect(titles('new ke')).toEqual(['New API key']);
    expect(titles('users')).toEqual(['Users', 'Contacts']);
  });

  it('are found by other words for what they show', () => {
    expect(titles('Deliveries')).toEqual(['Webhooks']);
    expect(titles('opt out')).toEqual(['Contacts']);
    expect(titles('simulator')).toEqual(['Sandbox phone']);
  });

  it('are not shown to those who may not open them', () => {
    expect(titles('accounts', 'administrator')).toEqual([]);
    expect(titles('audit', 'administrator')).toEqual(['Audit log']);
    expect(titles('key', 'administrator')).toEqual(['API keys', 'New API key']);
    expect(titles('key', 'viewer')).toEqual(['API keys']);
    expect(titles('newsletter', 'viewer')).toEqual(['Campaigns']);
  });

  it('do not answer to what is no word', () => {
    expect(titles('…!')).toEqual([]);
    expect(titles('xyzzy')).toEqual([]);
  });

  it('are all pages of the dashboard’s router that need no id and no link', () => {
    const router = readFileSync(join(import.meta.dirname, '../../../web/src/router.tsx'), 'utf8');
    const routes = [...router.matchAll(/(?:at\(|[ {]path: )'([^'$]+)'/g)].map(([, path]) => path);
    const found = Array.from('abcdefghijklmnopqrstuvwxyz')
      .flatMap((letter) => findPages(letter, 'operator', 100))
      .map(({ href }) => href.replace('/dashboard', '') || '/');
    expect(new Set([...found, '/reset'])).toEqual(new Set(routes));
  });
});
