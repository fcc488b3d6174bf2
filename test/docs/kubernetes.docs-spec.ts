import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { checkout } from '../support/npm-start.js';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  [field: string]: unknown;
}

interface Kustomization {
  resources: string[];
  patches?: { path: string; target: { kind: string; name?: string } }[];
}

interface Operation {
  op: 'add' | 'replace';
  path: string;
  value: unknown;
}

const folders = ['ops/kubernetes', 'ops/kubernetes-ha'];
/** What not every cluster knows; the kustomization names it in a comment. */
const extras = ['ops/kubernetes/keda.yaml', 'ops/kubernetes/pod-monitor.yaml'];
const files = folders.flatMap((folder) =>
  readdirSync(join(checkout, folder)).map((name) => `${folder}/${name}`),
);

function read(file: string): unknown[] {
  return parseAllDocuments(readFileSync(join(checkout, file), 'utf8')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as unknown;
  });
}

const isPatch = (document: unknown): document is Operation[] => Array.isArray(document);

/**
 * Types of what no package describes, as far as we use it: as https://kubectl.docs.kubernetes.io/references/kustomize
 * and https://prometheus-operator.dev/docs/api-reference/api say.
 */
const ownTypes = `
  export interface IKustomization {
    apiVersion: 'kustomize.config.k8s.io/v1beta1';
    kind: 'Kustomization';
    namespace?: string;
    resources: string[];
    images?: { name: string; newName?: string; newTag?: string; digest?: string }[];
    patches?: { path: string; target?: { group?: string; version?: string; kind?: string; name?: string } }[];
  }
  export interface IPodMonitor {
    apiVersion: 'monitoring.coreos.com/v1';
    kind: 'PodMonitor';
    metadata: { name: string };
    spec: {
      selector: { matchLabels: Record<string, string> };
      jobLabel?: string;
      podMetricsEndpoints: { port: string; path?: string; interval?: string }[];
    };
  }
  export type IPatch = { op: 'add' | 'replace'; path: string; value: unknown }[];`;

/** The modules that describe a kind; they are made of the definitions of Kubernetes, KEDA and CloudNativePG. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  if (apiVersion.startsWith('keda.sh/')) return `@kubernetes-models/keda/${apiVersion}/${kind}`;
  if (apiVersion.startsWith('postgresql.cnpg.io/'))
    return `@kubernetes-models/cloudnative-pg/${apiVersion}/${kind}`;
  return `kubernetes-models/${apiVersion}/${kind}`;
}

/** Checks the text of a document as TypeScript does: it names fields that are unknown, missing or of another type. */
function sourceOf(document: unknown): string {
  const text = JSON.stringify(document);
  if (isPatch(document)) return `${ownTypes}\nexport const it: IPatch = ${text};`;
  const { kind } = document as Manifest;
  return kind === 'Kustomization' || kind === 'PodMonitor'
    ? `${ownTypes}\nexport const it: I${kind} = ${text};`
    : `import type { I${kind} } from '${moduleOf(document as Manifest)}';\nexport const it: I${kind} = ${text};`;
}

/** What is wrong with each of the documents, by their names. */
function complaintsAbout(documents: Record<string, unknown>): Record<string, string[]> {
  const sources = new Map(
    Object.entries(documents).map(([name, document]) => [
      join(checkout, `test/docs/${name}.ts`),
      sourceOf(document),
    ]),
  );
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (name) => sources.has(name) || fileExists(name);
  host.readFile = (name) => sources.get(name) ?? readFile(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = sources.get(name);
    return text === undefined
      ? getSourceFile(name, version, ...rest)
      : ts.createSourceFile(name, text, version);
  };
  const program = ts.createProgram([...sources.keys()], options, host);
  return Object.fromEntries(
    [...sources.keys()].map((path, index) => [
      Object.keys(documents)[index],
      ts
        .getPreEmitDiagnostics(program, program.getSourceFile(path))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    ]),
  );
}

/** Patterns, ranges and some choices, of which the types know nothing. */
async function checkValues(document: Manifest): Promise<void> {
  const models = (await import(moduleOf(document))) as Record<
    string,
    new (
      data: Manifest,
    ) => { validate(): void }
  >;
  const Model = models[document.kind];
  if (!Model) throw new Error(`no such kind: ${document.kind}`);
  new Model(document).validate();
}

/** What `kubectl kustomize` makes of a folder, as far as these use it. */
function render(folder: string): Manifest[] {
  const [kustomization] = read(`${folder}/kustomization.yaml`) as Kustomization[];
  if (!kustomization) throw new Error(`${folder} has no kustomization`);
  const manifests = kustomization.resources.flatMap((name) =>
    name.endsWith('.yaml') ? (read(`${folder}/${name}`) as Manifest[]) : render(join(folder, name)),
  );
  for (const { path, target } of kustomization.patches ?? []) {
    const targets = manifests.filter(
      ({ kind, metadata }) =>
        kind === target.kind && (target.name ?? metadata.name) === metadata.name,
    );
    expect([path, targets.length]).not.toEqual([path, 0]);
    for (const operation of read(`${folder}/${path}`).filter(isPatch).flat()) {
      for (const manifest of targets) apply(manifest, operation);
    }
  }
  return manifests;
}

/** JSON Patch, RFC 6902, of fields of objects. */
function apply(manifest: Manifest, { op, path, value }: Operation): void {
  const fields = path.split('/').slice(1);
  const last = fields.pop() ?? '';
  const place = fields.reduce<unknown>(
    (inner, field) => (inner as Record<string, unknown>)[field],
    manifest,
  ) as Record<string, unknown>;
  // `add` would take the place of what is there.
  expect([path, last in place]).toEqual([path, op === 'replace']);
  place[last] = value;
}

const named = (documents: unknown[]) =>
  Object.fromEntries(documents.map((document, number) => [`manifest-${number}`, document]));

const nothingAbout = (documents: unknown[]) =>
  Object.fromEntries(documents.map((_, number) => [`manifest-${number}`, []]));

const find = (manifests: Manifest[], kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);

describe('the manifests for Kubernetes', () => {
  it('have known fields only, all that they need, and values of the right type', () => {
    const documents = files.flatMap(read);
    expect(documents.length).toBeGreaterThan(15);
    expect(complaintsAbout(named(documents))).toEqual(nothingAbout(documents));
  });

  it.each(folders)('of %s are right as kustomize puts them together', async (folder) => {
    const manifests = render(folder);
    expect(complaintsAbout(named(manifests))).toEqual(nothingAbout(manifests));
    for (const manifest of manifests) await checkValues(manifest);
  });

  it('for KEDA have the right values, too', async () => {
    for (const manifest of read('ops/kubernetes/keda.yaml') as Manifest[])
      await checkValues(manifest);
  });

  it('are all in use, but for the pattern of the Secret and what not every cluster knows', () => {
    const used = folders.flatMap((folder) => {
      const [kustomization] = read(`${folder}/kustomization.yaml`) as Kustomization[];
      const { resources = [], patches = [] } = kustomization ?? {};
      const names = [...resources, ...patches.map(({ path }) => path), 'kustomization.yaml'];
      return names.map((name) => join(folder, name));
    });
    const unused = files.filter((file) => !used.includes(file));
    expect(unused.toSorted((a, b) => a.localeCompare(b))).toEqual([
      ...extras,
      'ops/kubernetes/secret.example.yaml',
    ]);
    const kustomization = readFileSync(join(checkout, 'ops/kubernetes/kustomization.yaml'), 'utf8');
    for (const file of extras) expect(kustomization).toContain(`  # - ${basename(file)}\n`);
  });

  it('of the base ask for nothing that a cluster does not have by itself', () => {
    const groups = render('ops/kubernetes').map(({ apiVersion }) => apiVersion.split('/')[0] ?? '');
    const added = groups.filter((group) => group.includes('.') && !group.endsWith('.k8s.io'));
    expect(added).toEqual([]);
  });

  it('would not pass with a mistake', async () => {
    const spoil = (kind: string, name: string, from: string, to: string) => {
      const manifests = [...render('ops/kubernetes-ha'), ...extras.flatMap(read)] as Manifest[];
      const text = JSON.stringify(find(manifests, kind, name));
      expect(text).toContain(from);
      return JSON.parse(text.replace(from, to)) as Manifest;
    };
    const spoiled = {
      probe: spoil('Deployment', 'parley-api', '"readinessProbe"', '"readynessProbe"'),
      place: spoil('Deployment', 'parley-worker', '"containers":', '"container":'),
      type: spoil('PodDisruptionBudget', 'parley-api', '"matchLabels":{', '"matchLabels":{"a":{},'),
      field: spoil('Cluster', 'parley-postgres', '"failoverQuorum"', '"failoverQuorun"'),
      monitor: spoil('PodMonitor', 'parley', '"podMetricsEndpoints"', '"endpoints"'),
      scaler: spoil('ScaledObject', 'parley-worker', '"cooldownPeriod"', '"coolDownPeriod"'),
      patch: [{ op: 'ad', path: '/spec', value: 1 }],
      kustomization: { ...(read('ops/kubernetes/kustomization.yaml')[0] as object), resource: [] },
    };
    const complaints = complaintsAbout(spoiled);
    expect(Object.entries(complaints).filter(([, found]) => found.length === 0)).toEqual([]);
    expect(complaints['field']?.join()).toContain('failoverQuorun');
    for (const [from, to, place] of [
      ['"8Gi"', '"8 gigabytes"', /memory/],
      ['"required","fail', '"require","fail', /dataDurability/],
    ] as const) {
      const manifest = spoil('Cluster', 'parley-postgres', from, to);
      await expect(checkValues(manifest)).rejects.toThrow(place);
    }
  });
});

describe('the highly available installation', () => {
  interface Container {
    env?: unknown;
  }

  interface Workload extends Manifest {
    spec: {
      template: {
        spec: { containers: Container[]; initContainers?: Container[] };
      };
    };
  }

  const manifests = () => render('ops/kubernetes-ha');

  it.each(['parley-api', 'parley-worker'])(
    'gives all of %s the database of the operator',
    (name) => {
      const { spec } = (find(manifests(), 'Deployment', name) as Workload).spec.template;
      // CloudNativePG names the Secret after the cluster.
      const secretKeyRef = { name: 'parley-postgres-app', key: 'uri' };
      for (const { env } of [...spec.containers, ...(spec.initContainers ?? [])])
        expect(env).toEqual([{ name: 'DATABASE_URL', valueFrom: { secretKeyRef } }]);
      expect(find(manifests(), 'Cluster', 'parley-postgres')).toBeDefined();
    },
  );

  it('has at least three APIs and three workers, one in each zone', () => {
    const scalers = manifests().filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
    expect(scalers).toHaveLength(2);
    for (const scaler of scalers) expect(scaler).toMatchObject({ spec: { minReplicas: 3 } });
  });

  it('lets no commit return before a standby has it', () => {
    const synchronous = {
      method: 'any',
      number: 1,
      dataDurability: 'required',
      failoverQuorum: true,
    };
    expect(find(manifests(), 'Cluster', 'parley-postgres')).toMatchObject({
      spec: { instances: 3, postgresql: { synchronous } },
    });
  });
});
