import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout, temporaryFolder } from '../support/npm-start.js';

/** What people take who meet the API for the first time; not among our packages, because they bring some 200. */
const tools = ['@hey-api/openapi-ts@0.95.0', 'typescript@5.9.3', '@stoplight/spectral-cli@6.16.3'];

describe('who meets the API for the first time', () => {
  const folder = temporaryFolder();

  const run = (program: string, args: string[]) =>
    execFileSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tools]);
  }, 240_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('generates a client that compiles strictly', () => {
    const input = join(checkout, 'docs/openapi.json');
    run('npx', ['openapi-ts', '--input', input, '--output', 'client']);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      types: [],
      skipLibCheck: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
    };
    const options = { compilerOptions, include: ['client'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    expect(run('npx', ['tsc', '--project', folder])).toBe('');
  });

  it.each(['openapi.json', 'openapi.dashboard.json'])('lints docs/%s without a word', (name) => {
    writeFileSync(join(folder, 'rules.yaml'), 'extends: ["spectral:oas"]\n');
    const args = ['--ruleset', 'rules.yaml', '--fail-severity', 'hint'];
    const found = run('npx', ['spectral', 'lint', ...args, join(checkout, 'docs', name)]);
    expect(found).toContain('No results');
  });
});
