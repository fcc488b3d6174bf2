import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** Folders, the lowest first: each may import from itself and from those before it. */
const layers = {
  src: [
    ['config', 'logging', 'errors', 'database', 'secrets', 'hints', 'tracing', 'http'],
    ['access', 'metrics'],
    ['platform', 'audit', 'quota', 'alerts', 'accounts', 'api-keys', 'users', 'idempotency'],
    ['auth', 'sessions', 'contacts'],
    ['messages', 'templates', 'fallbacks', 'direct-messages', 'interactive-messages', 'sending'],
    ['webhooks/deliveries', 'webhooks/notifications'],
    ['health', 'doctor', 'dashboard', 'openapi'],
    ['.'],
  ].flat(),
  'web/src': [
    ['styles', 'api', 'parts', 'session', 'phone', 'audit', 'templates', 'deliveries'],
    ['playground', 'messages', 'overview', 'keys', 'accounts', 'alerts', 'sandbox', 'users'],
    ['shell', '.'],
  ].flat(),
  libs: ['local-hosts', 'whatsapp', 'simulator'],
};

const root = join(import.meta.dirname, '..');

/** The folder of a file: the longest of the list that contains it. */
function folderOf(tree: string, file: string, folders: readonly string[]): string {
  const inside = relative(join(root, tree), dirname(file)).replaceAll('\\', '/') || '.';
  const found = folders.find((folder) => inside === folder || inside.startsWith(`${folder}/`));
  if (!found) throw new Error(`${tree}/${inside} is in no layer: add it to the list`);
  return found;
}

describe.each(Object.entries(layers))('the folders of %s', (tree, folders) => {
  const files = readdirSync(join(root, tree), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.tsx?$/.test(name) && !/spec/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name));

  it('import only from those below them', () => {
    const upward = files.flatMap((file) => {
      const rank = folders.indexOf(folderOf(tree, file, folders));
      const imports = readFileSync(file, 'utf8').matchAll(
        /(?:from|import|import\() ?'(\.[^']+|#libs\/[^']+)'/g,
      );
      return [...imports]
        .map(([, name = '']) =>
          name.startsWith('#')
            ? join(root, name.slice(1), 'index.ts')
            : normalize(join(dirname(file), name)),
        )
        .filter((target) => target.startsWith(join(root, tree, '/')))
        .filter((target) => folders.indexOf(folderOf(tree, target, folders)) > rank)
        .map((target) => `${relative(root, file)} imports ${relative(root, target)}`);
    });
    expect(upward).toEqual([]);
  });
});
