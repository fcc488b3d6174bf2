import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** Folders, the lowest first: each may import from itself and from those before it. */
const layers = {
  src: [
    ['timers', 'config', 'logging', 'errors', 'database', 'secrets', 'hints', 'tracing', 'http'],
    ['access', 'events', 'metrics'],
    [
      'platform',
      'audit',
      'quota',
      'alerts',
      'accounts',
      'endpoints',
      'api-keys',
      'users',
      'outcomes',
    ],
    ['idempotency'],
    ['auth', 'request-log', 'sessions', 'contacts', 'uploads'],
    ['campaigns/recipients'],
    ['messages', 'templates', 'free-form', 'direct-messages', 'interactive-messages'],
    ['campaigns', 'sending'],
    ['deliveries', 'deliveries/endpoints', 'deliveries/feed', 'consents'],
    ['notifications'],
    ['graph', 'jobs'],
    ['health', 'doctor', 'dashboard', 'openapi', 'start'],
    ['.'],
  ].flat(),
  'web/src': [
    [
      'styles',
      'api',
      'parts',
      'files',
      'lists',
      'session',
      'search',
      'phone',
      'audit',
      'templates',
      'deliveries',
    ],
    [
      'playground',
      'messages',
      'requests',
      'contacts',
      'campaigns',
      'keys',
      'accounts',
      'alerts',
      'overview',
      'sandbox',
      'users',
    ],
    ['shell', '.'],
  ].flat(),
  libs: ['durations', 'local-hosts', 'phone-numbers', 'whatsapp', 'simulator'],
};

const root = join(import.meta.dirname, '..');

/** The folder of a file: the longest of the list that contains it. */
function folderOf(tree: string, file: string, folders: readonly string[]): string {
  const inside = relative(join(root, tree), dirname(file)).replaceAll('\\', '/') || '.';
  const found = folders
    .filter((folder) => inside === folder || inside.startsWith(`${folder}/`))
    .toSorted((one, other) => other.length - one.length)[0];
  if (!found) throw new Error(`${tree}/${inside} is in no layer: add it to the list`);
  return found;
}

/** The files of a tree, specs apart. */
const filesOf = (tree: string) =>
  readdirSync(join(root, tree), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.tsx?$/.test(name) && !/spec/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name));

/** What a file imports from its project, types too. */
const importsOf = (file: string) =>
  [
    ...readFileSync(file, 'utf8').matchAll(/(?:from|import|import\() ?'(\.[^']+|#libs\/[^']+)'/g),
  ].map(([, name = '']) =>
    name.startsWith('#')
      ? join(root, name.slice(1), 'index.ts')
      : normalize(join(dirname(file), name)),
  );

describe.each(Object.entries(layers))('the folders of %s', (tree, folders) => {
  it('import only from those below them', () => {
    const upward = filesOf(tree).flatMap((file) => {
      const rank = folders.indexOf(folderOf(tree, file, folders));
      return importsOf(file)
        .filter((target) => target.startsWith(join(root, tree, '/')))
        .filter((target) => folders.indexOf(folderOf(tree, target, folders)) > rank)
        .map((target) => `${relative(root, file)} imports ${relative(root, target)}`);
    });
    expect(upward).toEqual([]);
  });
});

describe.each([...Object.keys(layers), 'test'])('the files of %s', (tree) => {
  it('import each other in no circle', () => {
    const imports = new Map(
      filesOf(tree).map((file) => [
        file,
        importsOf(file).map((target) => target.replace(/\.js$/, '.ts')),
      ]),
    );
    // Files that import no remaining file drop out, until those of circles, and what imports them, remain.
    for (let left = -1; left !== imports.size; ) {
      left = imports.size;
      for (const [file, targets] of imports) {
        if (!targets.some((target) => imports.has(target))) imports.delete(file);
      }
    }
    expect([...imports.keys()].map((file) => relative(root, file))).toEqual([]);
  });
});

describe('the rooms of src', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => name.endsWith('.ts') && !/spec/.test(name + parentPath))
    .map(({ parentPath, name }) => ({ folder: relative(root, parentPath), name }));

  it('hold at most 16 files side by side, migrations and the SQL of a neighbour apart', () => {
    const folders = [...new Set(files.map(({ folder }) => folder))].filter(
      (folder) => !folder.endsWith('database/migrations'),
    );
    const countIn = (folder: string) =>
      files.filter((file) => file.folder === folder && !file.name.endsWith('.statements.ts'))
        .length;
    expect(folders.filter((folder) => countIn(folder) > 16)).toEqual([]);
  });

  it('hold files of at most 400 lines, the baseline of the tables apart', () => {
    const long = files
      .map(({ folder, name }) => join(folder, name))
      .filter((file) => !file.endsWith('-baseline.ts'))
      .filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 401);
    expect(long).toEqual([]);
  });

  it('hold at most four files of at most 15 lines side by side, modules apart: an idea has one file', () => {
    const tiny = files
      .filter(({ name }) => !name.endsWith('.module.ts'))
      .filter(
        ({ folder, name }) =>
          readFileSync(join(root, folder, name), 'utf8').split('\n').length <= 16,
      )
      .map(({ folder }) => folder);
    const heaps = [...new Set(tiny)].filter(
      (folder) => tiny.filter((other) => other === folder).length > 4,
    );
    expect(heaps).toEqual([]);
  });
});

describe('work that recurs', () => {
  it('is left to Timers; the log has its own timer, since it cannot log its own failure', () => {
    const source = join(root, 'src');
    const own = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/spec/.test(name))
      .filter((name) => readFileSync(join(source, name), 'utf8').includes('setInterval('));
    expect(own.toSorted()).toEqual(['logging/log-lines.ts', 'timers/timers.ts']);
  });
});

/** Files that pass on what others wrote, or listen, set and drop, which PostgreSQL cannot describe. */
const runSqlOfOthers = [
  'database/hot-statements.ts',
  'database/statements/statement.ts',
  'database/upkeep.ts',
  'health/health-connection.ts',
  'hints/postgres-hint-channel.ts',
  'request-log/request-rows.ts',
];

describe('the SQL of src', () => {
  const source = join(root, 'src');
  const filesWith = (form: RegExp) =>
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter(
        (name) => name.endsWith('.ts') && !/spec|database\/migrations|\.statements\.ts/.test(name),
      )
      .filter((name) => form.test(readFileSync(join(source, name), 'utf8')))
      .toSorted();

  it('stands in *.statements.ts, where a test compares it with the database', () => {
    const beginning =
      /['"`]\s*(select|insert into|update \w+( \w+)? set|delete from|with( recursive)? \w+ (as )?\()\s/;
    expect(filesWith(beginning)).toEqual([]);
  });

  it('is run by its statement', () => {
    expect(filesWith(/\.query(<[^(]*>)?\(/)).toEqual(runSqlOfOthers);
  });
});

/**
 * Which folders of src write each table. Other folders call their functions. `events` adds events and ends those of
 * an endpoint; `deliveries` brings them from one table to the other.
 */
const owners: Readonly<Record<string, readonly string[]>> = {
  accounts: ['accounts', 'number_health', 'number_health_changes'],
  access: ['attempt_counters'],
  alerts: ['alerts'],
  'api-keys': ['api_keys', 'installation_secrets'],
  audit: ['audit_log'],
  auth: ['replay_marks'],
  campaigns: ['campaigns', 'campaign_recipients'],
  contacts: ['contacts', 'contact_consents', 'contact_former_ids', 'number_forms'],
  database: ['database_histories', 'periodic_work'],
  endpoints: ['webhook_endpoints'],
  idempotency: ['campaign_replays'],
  jobs: ['jobs', 'job_items'],
  events: ['done_events', 'feed_events', 'open_events', 'webhook_failures'],
  messages: ['messages', 'scheduled_messages', 'idempotency_keys'],
  outcomes: ['outcomes_hourly', 'replies_by_minute'],
  quota: [
    'api_key_last_used',
    'api_key_usage',
    'pace_buckets',
    'quota_counters',
    'secret_last_used',
    'usage_hourly',
  ],
  'request-log': ['request_bodies', 'request_log'],
  templates: ['templates', 'template_lookups', 'template_mappings', 'template_syncs'],
  uploads: ['uploads'],
  users: ['recovery_codes', 'reset_links', 'sessions', 'users'],
  deliveries: ['endpoint_leases', 'done_events', 'open_events', 'webhook_failures'],
  notifications: [
    'account_notifications',
    'api_presence',
    'inbound_media',
    'notification_events',
    'notification_keys',
    'platform_handshakes',
    'platform_notifications',
  ],
};

/** Files that write to whatever table their caller or their own list names. */
const writeNamedTables = [
  'database/upkeep.statements.ts',
  'notifications/processing/notification-rows.statements.ts',
  'secrets/secret-rotation.statements.ts',
];

describe('the tables', () => {
  const source = join(root, 'src');
  const migrations = join(source, 'database', 'migrations');
  const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/spec|migrations/.test(name))
    .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }));
  const tableOfEntity = new Map(
    texts.flatMap(({ text }) =>
      [...text.matchAll(/@Entity\('(\w+)'\)\s+export class (\w+)/g)].map(
        ([, table = '', entity = '']) => [entity, table],
      ),
    ),
  );
  const owned = new Set(Object.values(owners).flat());
  const isOwner = (name: string, table: string) =>
    Object.entries(owners).some(
      ([folder, tables]) => name.startsWith(`${folder}/`) && tables.includes(table),
    );

  it('have an owner', () => {
    const made = readdirSync(migrations)
      .map((name) => readFileSync(join(migrations, name), 'utf8'))
      .flatMap((text) => [...text.matchAll(/create (?:unlogged )?table (?!if )(\w+)/g)])
      .map(([, table = '']) => table);
    expect([...owned].toSorted()).toEqual([...new Set(made)].toSorted());
  });

  it('are written by their owners alone', () => {
    const writes = texts.flatMap(({ name, text }) => {
      const bySql = text.matchAll(/\b(?:insert into|update|delete from|merge into) (\w+)/gi);
      const byEntity = text.matchAll(
        /\.(?:insert|update|upsert|delete|remove|save|increment|decrement)\(\s*(\w+Entity)\b/g,
      );
      return [
        ...[...bySql].map(([, table = '']) => table),
        ...[...byEntity].map(([, entity = '']) => tableOfEntity.get(entity) ?? entity),
      ]
        .filter((table) => owned.has(table) || table.endsWith('Entity'))
        .filter((table) => !isOwner(name, table))
        .map((table) => `${name} ${table}`);
    });
    expect(writes).toEqual([]);
  });

  it('are named where they are written, but for shared work', () => {
    const unnamed = texts.filter(({ text }) =>
      /\b(?:insert into|update|delete from|merge into) \$\{/i.test(text),
    );
    expect(unnamed.map(({ name }) => name).toSorted()).toEqual(writeNamedTables);
  });
});
