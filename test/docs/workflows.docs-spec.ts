import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checkout } from '../support/npm-start.js';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Job {
  needs?: string[];
  uses?: string;
  container?: { image: string };
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  strategy?: { matrix: Record<string, unknown> };
  steps?: Step[];
}

interface Workflow {
  on: Record<string, unknown>;
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const folder = '.github/workflows';
const read = (path: string) => readFileSync(join(checkout, path), 'utf8');
const workflow = (name: string) => parse(read(`${folder}/${name}`)) as Workflow;
const names = readdirSync(join(checkout, folder));
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);
const commandsOf = (job?: Job) => (job?.steps ?? []).map(({ run }) => run);
const { node } = (JSON.parse(read('package.json')) as { engines: { node: string } }).engines;
const major = read('.nvmrc').trim();

describe.each(names)('the workflow %s', (name) => {
  const { permissions, jobs } = workflow(name);

  it('may read the checkout, and write packages where it publishes them', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const wanted = Object.values(jobs).flatMap((job) => Object.entries(job.permissions ?? {}));
    const written = wanted.filter(([, access]) => access !== 'read').map(([scope]) => scope);
    expect(written.filter((scope) => scope !== 'packages')).toEqual([]);
    if (name !== 'release.yml') expect(written).toEqual([]);
  });

  it('takes each action at a version, and has no job without an end', () => {
    const actions = stepsOf({ jobs, on: {} }).flatMap(({ uses = [] }) => uses);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@v\d+/.test(action))).toEqual([]);
    for (const job of Object.values(jobs).filter(({ uses }) => !uses))
      expect(job['timeout-minutes']).toBeLessThanOrEqual(150);
  });

  it('puts nothing that others write into a command', () => {
    const commands = stepsOf({ jobs, on: {} }).flatMap(({ run = [] }) => run);
    expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
  });

  it('names each variable and secret of the repository in CONTRIBUTING.md', () => {
    const asked = read(`${folder}/${name}`).matchAll(/\b(?:vars|secrets)\.(\w+)/g);
    const settings = new Set([...asked].map(([, setting = '']) => setting));
    settings.delete('GITHUB_TOKEN');
    const page = read('CONTRIBUTING.md');
    expect([...settings].filter((setting) => !page.includes(`\`${setting}\``))).toEqual([]);
  });
});

describe('CI', () => {
  const { on, jobs } = workflow('ci.yml');

  it('runs .ci/run on the Node of .nvmrc and of the image, with the history', () => {
    expect(Object.keys(on)).toEqual(expect.arrayContaining(['push', 'pull_request']));
    const { all } = jobs;
    expect(commandsOf(all)).toContain('.ci/run');
    expect(all?.container?.image).toMatch(`node:${major}-`);
    expect(all?.steps?.[0]?.with).toMatchObject({ 'fetch-depth': 0 });
    for (const [, image] of read('Dockerfile').matchAll(/^FROM (\S+)/gm))
      expect(image).toBe(`node:${major}-slim`);
  });

  it('builds and tests on the oldest Node that runs Parley', () => {
    const versions = (jobs['oldest-node']?.steps ?? []).flatMap(
      (step) => step.with?.['node-version'] ?? [],
    );
    expect(versions).toEqual([node.replace('>=', '')]);
  });

  it('looks for known holes in what production needs', () => {
    expect(commandsOf(jobs['audit'])).toContain('npm audit --omit=dev');
  });
});

describe('a release', () => {
  const text = read(`${folder}/release.yml`);
  const { on, jobs } = workflow('release.yml');

  it('begins with a tag, and publishes nothing that CI refuses', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    const { ci, image, packages } = jobs;
    expect(ci?.uses).toBe(`./${folder}/ci.yml`);
    for (const job of [image, packages]) expect(job?.needs).toEqual(['version', 'ci']);
  });

  it('builds the image for both architectures, with all arguments of the Dockerfile', () => {
    const { image } = jobs;
    expect(image?.strategy?.matrix['include']).toMatchObject([
      { architecture: 'amd64' },
      { architecture: 'arm64' },
    ]);
    const build = image?.steps?.find(({ uses }) => uses?.startsWith('docker/build-push-action'));
    const given = String(build?.with?.['build-args']).match(/^\w+(?==)/gm) ?? [];
    const wanted = [...read('Dockerfile').matchAll(/^ARG (\w+)/gm)].map(([, argument]) => argument);
    expect(new Set(given)).toEqual(new Set(wanted));
  });

  it('publishes every client, and takes the token when all is installed', () => {
    const { packages } = jobs;
    const clients = readdirSync(join(checkout, 'clients'));
    expect(new Set(packages?.strategy?.matrix['client'] as string[])).toEqual(new Set(clients));
    const withToken = packages?.steps?.filter(({ env }) => env?.['NODE_AUTH_TOKEN']) ?? [];
    expect(withToken.map(({ run = '' }) => run.includes('npm publish'))).toEqual([true]);
  });

  it('leaves registry and owner to the variables of the repository', () => {
    expect(text).not.toMatch(/ghcr\.io|docker\.io|npm\.pkg\.github/);
    const { image } = jobs;
    for (const { with: given } of image?.steps ?? [])
      for (const key of ['registry', 'tags'])
        if (given?.[key]) expect(given[key]).toContain('vars.IMAGE_REGISTRY');
  });
});

describe('dependabot', () => {
  it('looks after packages, the image and the actions', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as {
      updates: { 'package-ecosystem': string }[];
    };
    const kinds = updates.map((update) => update['package-ecosystem']);
    expect(kinds).toEqual(['npm', 'docker', 'github-actions']);
  });
});
