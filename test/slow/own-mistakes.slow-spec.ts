import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkout, temporaryFolder } from '../support/npm-start.js';

const path = { PATH: process.env.PATH };

/** Node itself, as a former version would name itself. */
const oldNode =
  '--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.20.8"}})';

const programs = (
  JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  }
).scripts;

/** The files that `npm run …` starts. */
const scripts = Object.values(programs).flatMap((command) =>
  command.startsWith('exec node ') ? [command.split(' ')[2] ?? ''] : [],
);

describe('a Node that is too old', () => {
  it.each([
    ...new Set([...scripts, 'dist/src/main.js', 'dist/src/worker.js', 'clients/cli/parley.mjs']),
  ])('ends %s with one line', (script) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [oldNode, script], {
      cwd: checkout,
      env: path,
      encoding: 'utf8',
    });
    expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
    expect(stderr).toMatch(/^Parley needs Node 20\.19 or later; this is .+\n$/);
  });
});

describe('a folder of another user', () => {
  const folder = temporaryFolder();
  const nobody = 65_534;

  beforeAll(() => {
    // The folder can be entered, its files cannot be opened.
    chmodSync(folder, 0o711);
    mkdirSync(join(folder, 'logs'));
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'secrets.json'), '{}', { mode: 0o600 });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const asNobody = process.getuid?.() === 0 ? it : it.skip;
  asNobody.each(['scripts/up.mjs', 'dist/src/restored.js', 'dist/src/reset-operator.js'])(
    'ends %s with one line that names it',
    (script) => {
      const { stderr, status } = spawnSync(process.execPath, [script], {
        cwd: checkout,
        env: { ...path, DATA_DIR: folder },
        uid: nobody,
        gid: nobody,
        encoding: 'utf8',
      });
      expect(status).toBe(1);
      // npm start says first that an old Node is old.
      const complaint = stderr.replace(/^This is Node .+\n/, '');
      expect(complaint).toMatch(new RegExp(`^[^\\n]*${folder}[^\\n]*EACCES[^\\n]*\\n$`));
    },
  );
});

describe('a reader that has seen enough', () => {
  it.each(['doctor', 'restored'])('is no error of %s', async (name) => {
    const program = spawn(process.execPath, [join(checkout, `dist/src/${name}.js`)], {
      env: { ...path, DATA_DIR: '/nowhere' },
    });
    program.stdout.destroy();
    const complaint = await text(program.stderr);
    expect(complaint).not.toMatch(/EPIPE|^ +at /m);
  });
});
