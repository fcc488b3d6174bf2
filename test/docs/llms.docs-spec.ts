import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = process.cwd();
const read = (page: string) => readFileSync(join(root, page), 'utf8');

const head = `# Parley

> A self-hosted API for business messages over WhatsApp (Meta's Cloud API): send buttons, lists, texts, media and
> templates with an API key, and get replies and statuses by webhook. NestJS on PostgreSQL, Redis optional.

Requests go to \`/api/v1/external\` with \`X-API-Key\` and JSON. Answers are \`{"success", "data" or "error", "meta"}\`;
branch on \`error.code\`. Repeat a send only with the same \`Idempotency-Key\`. Webhooks are signed as Standard Webhooks
specifies. \`npm start\` runs everything with a simulator in place of WhatsApp.
`;

/** What a page is about: its heading, or the words of the link where it is no page. */
const titleOf = (path: string, words: string) =>
  path.endsWith('.md') ? (/^# (.+)$/m.exec(read(path))?.[1] ?? words) : words;

/** The index of `docs/README.md`, a line for each page that is a file of text. */
function madeFrom(index: string): string {
  const sections = index.split(/^## /m);
  const lines = sections.flatMap((section, at) => {
    const heading = at === 0 ? 'Begin' : (section.split('\n')[0] ?? '');
    const entries = section.split(/^(?=- )/m).flatMap((entry) => {
      const links = [...entry.matchAll(/\[([^\]]+)\]\(([^)#\s]+)\)/g)];
      const [, about = ''] = /^- \[[^\]]+\]\([^)]+\): ([\s\S]+)$/.exec(entry) ?? [];
      return links.map(([, words = '', link = '']) => {
        const path = normalize(join(dirname('docs/README.md'), link));
        const note = links.length === 1 && about !== '' ? `: ${about.split(/\s+/).join(' ')}` : '';
        return { path, line: `- [${titleOf(path, words)}](${path})${note.trimEnd()}` };
      });
    });
    const pages = entries.filter(
      ({ path }) => /\.(?:md|json)$/.test(path) && !path.startsWith('..'),
    );
    const served = pages.filter(({ path }) => path !== 'CONTRIBUTING.md');
    return served.length === 0 ? [] : ['', `## ${heading}`, '', ...served.map(({ line }) => line)];
  });
  const once = lines.filter((line, at) => !line.startsWith('- ') || lines.indexOf(line) === at);
  return `${head}${once.join('\n')}\n`;
}

describe('llms.txt', () => {
  it('is made from docs/README.md; else UPDATE_LLMS=1 npm test -- test/docs/llms', () => {
    const made = madeFrom(read('docs/README.md'));
    if (process.env.UPDATE_LLMS === '1') writeFileSync(join(root, 'llms.txt'), made);
    expect(read('llms.txt')).toBe(made);
  });
});
