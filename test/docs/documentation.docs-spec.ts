import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = process.cwd();

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'llms.txt',
  'clients/cli/README.md',
  'clients/typescript/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
];

const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** As GitHub makes them of headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(read(target)).includes(anchor);
}

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('has no broken link', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const inside = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(inside.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });

  it('names no project file that does not exist', () => {
    const named = [...text.matchAll(/`((?:src|libs|test|bench|scripts|docs)\/[\w./-]+)`/g)];
    const paths = named.map(([, path = '']) => path);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('links to every page', () => {
    const index = read('docs/README.md');
    const linked = (page: string) => index.includes(`(${page})`);
    const inside = pages
      .filter((page) => page.startsWith('docs/') && !page.startsWith('docs/adr/'))
      .map((page) => page.slice('docs/'.length));
    expect(inside.filter((page) => page !== 'README.md' && !linked(page))).toEqual([]);
  });
});
