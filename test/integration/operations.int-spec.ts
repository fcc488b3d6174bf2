import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getMetadataStorage } from 'class-validator';
import { parse, parseAllDocuments } from 'yaml';
import { EnvironmentDto } from '../../src/config/environment.dto.js';

const read = (path: string) => readFileSync(path, 'utf8');

const variables = new Set([
  ...getMetadataStorage()
    .getTargetValidationMetadatas(EnvironmentDto, '', false, false)
    .map(({ propertyName }) => propertyName),
  // The simulator's own.
  'SIMULATOR_PORT',
  'SIMULATOR_WEBHOOK_URL',
]);

/** The scripts that a command runs exist once the project is built. */
const isBuilt = (command: readonly string[]) =>
  command[0] === 'node' && existsSync(command[1] ?? '') && command[1]?.startsWith('dist/');

describe('compose.yaml', () => {
  const { services, volumes, networks }: any = parse(read('compose.yaml'), { merge: true });
  const ours = Object.entries<any>(services).filter(([, { build }]) => build);

  it('has every part of an installation, and three that somebody asks for', () => {
    const profiles = Object.fromEntries(
      Object.entries<any>(services).map(([name, service]) => [name, service.profiles]),
    );
    expect(profiles).toEqual({
      postgres: undefined,
      redis: undefined,
      migrate: undefined,
      api: undefined,
      worker: undefined,
      simulator: ['simulator'],
      caddy: ['tls'],
      backup: ['backup'],
    });
    expect(services.worker.deploy.replicas).toBe(2);
    for (const [, { image }] of ours) expect(image).toBe('${PARLEY_IMAGE:-parley}');
  });

  it('hands on every variable of .env.example that it does not set itself', () => {
    const listed = [...read('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(
      ([, name = '']) => name,
    );
    const set = [
      'DATABASE_URL',
      'REDIS_URL',
      'METRICS_PORT',
      'SIMULATOR_PORT',
      'SIMULATOR_WEBHOOK_URL',
    ];
    // In the image, and under npm start alone.
    const absent = ['HOST', 'PORT', 'WORKER_PORT', 'DATA_DIR'];
    // The first operator's are read by the migrations alone.
    const { environment } = services.migrate;
    for (const name of listed.filter((each) => ![...set, ...absent].includes(each)))
      expect([name, environment[name]]).toEqual([name, expect.stringContaining(`\${${name}:`)]);
    for (const part of ['api', 'worker']) {
      const { METRICS_PORT: _ofApi, ...same } = services[part].environment;
      const { ADMIN_EMAIL: _email, ADMIN_PASSWORD: _password, ...shared } = environment;
      expect(same).toEqual(shared);
    }
    const given = ours.flatMap(([, service]) => Object.keys(service.environment));
    expect(set.filter((name) => !given.includes(name))).toEqual([]);
  });

  it('lets test keys send to the simulator, when there is a secret for it', () => {
    const { SIMULATOR_URL, SIMULATOR_APP_SECRET } = services.api.environment;
    expect(SIMULATOR_URL).toBe('${SIMULATOR_URL:-${SIMULATOR_APP_SECRET:+http://simulator:3002}}');
    // Compose asks for a required value in every profile.
    expect(SIMULATOR_APP_SECRET).toBe('${SIMULATOR_APP_SECRET:-}');
  });

  it('makes every secret that it needs in the command at its top, and in the docs', () => {
    const [, names = ''] = /printf '(.+)' \\$/m.exec(read('compose.yaml')) ?? [];
    expect(names.match(/[A-Z_]+(?==%s)/g)).toEqual([
      'POSTGRES_PASSWORD',
      'SECRET_KEY',
      'ADMIN_PASSWORD',
      'PLATFORM_VERIFY_TOKEN',
    ]);
    expect(read('docs/self-hosting.md')).toContain(`printf '${names}' \\`);
  });

  it('believes what Caddy says about callers, and nobody else', () => {
    const { ipv4_address: address } = services.caddy.networks.proxy;
    expect(services.api.environment.TRUSTED_PROXIES).toBe(`\${TRUSTED_PROXIES:-${address}}`);
    expect(services.api.networks).toEqual(['default', 'proxy']);
    // Compose gives the API no address of this half.
    expect(networks.proxy.ipam.config).toEqual([
      { subnet: '172.30.27.0/24', ip_range: '172.30.27.128/25' },
    ]);
    expect(address).toMatch(/^172\.30\.27\.(?:[2-9]|\d\d)$/);
    expect(services.caddy.volumes[0]).toBe('./ops/proxy/Caddyfile:/etc/caddy/Caddyfile:ro');
    for (const name of Object.keys(services.caddy.environment))
      expect(read('ops/proxy/Caddyfile')).toContain(`{$${name}:`);
  });

  it.each(ours)('%s gets no unused variable', (_, { environment }) => {
    expect(Object.keys(environment).filter((name) => !variables.has(name))).toEqual([]);
  });

  it.each(ours)('%s runs what the image holds, confined, with time to end', (_, service) => {
    expect(isBuilt(service.command ?? ['node', 'dist/src/main.js'])).toBe(true);
    expect(service).toMatchObject({
      init: true,
      read_only: true,
      cap_drop: ['ALL'],
      stop_grace_period: '45s',
    });
  });

  it('starts API and workers behind migrations and Redis', () => {
    for (const { depends_on: needs } of [services.api, services.worker]) {
      expect(needs.migrate.condition).toBe('service_completed_successfully');
      expect(needs.redis.condition).toBe('service_healthy');
    }
  });

  it('keeps what Redis and PostgreSQL hold, and lets Redis drop nothing', () => {
    const command = services.redis.command.join(' ');
    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
    // Where PostgreSQL 18's image keeps its data.
    expect(services.postgres.volumes).toEqual(['postgres:/var/lib/postgresql']);
    expect(Object.keys(volumes).toSorted()).toEqual(['caddy', 'postgres', 'redis']);
  });

  it('has no secret in it, and opens the API to this machine, and Caddy to all', () => {
    const secrets = ours
      .concat([['postgres', services.postgres]])
      .flatMap(([, { environment }]) =>
        Object.entries<string>(environment).filter(([name]) => /PASSWORD|SECRET/.test(name)),
      );
    expect(secrets.length).toBeGreaterThan(4);
    // Nothing stands in for a secret that is not given, and only those of the simulator may be missing.
    for (const [name, value] of secrets)
      expect(value).toMatch(`\${${name}:${name.startsWith('SIMULATOR') ? '-}' : '?'}`);
    const open = Object.values<any>(services).flatMap(({ ports = [] }) => ports);
    expect(open).toEqual(['127.0.0.1:3000:3000', '0.0.0.0:80:80', '0.0.0.0:443:443']);
  });
});

describe('ops/kubernetes', () => {
  const folder = 'ops/kubernetes';
  const kustomization = parse(read(join(folder, 'kustomization.yaml')));
  const objects: any[] = kustomization.resources.flatMap((file: string) =>
    parseAllDocuments(read(join(folder, file))).map((document) => document.toJS()),
  );
  const find = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  const containerOf = (deployment: any) => deployment.spec.template.spec.containers[0];
  const containers = deployments.flatMap(({ spec }) => {
    const { initContainers = [], ...pod } = spec.template.spec;
    return [...initContainers, ...pod.containers].map((container) => [
      container.name,
      container,
      pod,
    ]);
  });

  it.each(containers)(
    '%s runs what the image holds, not as root, and cannot write anywhere',
    (_, container, pod) => {
      expect(isBuilt(container.command)).toBe(true);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources.limits.memory).toBeDefined();
      expect(container.envFrom).toEqual([
        { configMapRef: { name: 'parley' } },
        { secretRef: { name: 'parley' } },
      ]);
    },
  );

  it('migrates before each new API, so that everything can be applied again', () => {
    const { initContainers } = find('Deployment', 'parley-api').spec.template.spec;
    expect(initContainers.map(({ command }: any) => command)).toEqual([
      ['node', 'dist/src/migrate.js'],
    ]);
    // The template of a Job cannot be changed.
    expect(objects.filter(({ kind }) => kind === 'Job')).toEqual([]);
  });

  it.each(['api', 'worker'])('%s has probes, time to end, a budget and a scaler', (part) => {
    const deployment = find('Deployment', `parley-${part}`);
    const container = containerOf(deployment);
    const [{ name, containerPort }] = container.ports;
    expect(containerPort).toBe(part === 'api' ? 3000 : 3001);
    for (const [probe, route] of [
      ['startupProbe', 'live'],
      ['readinessProbe', 'ready'],
      ['livenessProbe', 'live'],
    ] as const) {
      expect(container[probe].httpGet).toEqual({ path: `/health/${route}`, port: name });
    }
    expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBe(45);
    expect(deployment.spec.replicas).toBeUndefined();
    const budget = find('PodDisruptionBudget', `parley-${part}`);
    expect(budget.spec.selector).toEqual(deployment.spec.selector);
    expect(deployment.spec.template.metadata.labels).toEqual(deployment.spec.selector.matchLabels);
    expect(container.resources.requests.cpu).toBe('200m');
    // Of what a process can use, and not of the little that it requests.
    const scaler = find('HorizontalPodAutoscaler', `parley-${part}`);
    expect(scaler.spec.scaleTargetRef.name).toBe(`parley-${part}`);
    expect(scaler.spec.metrics[0].resource.target.type).toBe('AverageValue');
  });

  it('has no secret in its example', () => {
    const { stringData } = parse(read(join(folder, 'secret.example.yaml')));
    const { SECRET_KEY, PLATFORM_VERIFY_TOKEN, ADMIN_PASSWORD } = stringData;
    expect([SECRET_KEY, PLATFORM_VERIFY_TOKEN, ADMIN_PASSWORD]).toEqual(['', '', '']);
  });

  it('sets no unused variable', () => {
    const secret = parse(read(join(folder, 'secret.example.yaml')));
    const given = [
      ...Object.keys(find('ConfigMap', 'parley').data),
      ...Object.keys(secret.stringData),
    ];
    expect(given.filter((name) => !variables.has(name))).toEqual([]);
  });

  it('names every Secret that it asks for in its documentation', () => {
    const names = [
      ...JSON.stringify(objects).matchAll(/"secret(?:Name":|Ref":{"name":)"([^"]+)"/g),
    ];
    const secrets = new Set(names.map(([, name]) => name));
    expect(secrets).toEqual(new Set(['parley', 'parley-tls']));
    for (const name of secrets) expect(read('docs/self-hosting.md')).toContain(`\`${name}\``);
  });

  it('sends callers through the Ingress and the Service to the API', () => {
    const { metadata, spec } = find('Service', 'parley-api');
    expect(spec.selector).toEqual(find('Deployment', 'parley-api').spec.selector.matchLabels);
    expect(spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
    const ingress = find('Ingress', 'parley').spec;
    const [{ host, http }] = ingress.rules;
    expect(http.paths).toEqual([
      {
        path: '/',
        pathType: 'Prefix',
        backend: { service: { name: metadata.name, port: { name: 'http' } } },
      },
    ]);
    expect(ingress.tls[0].hosts).toEqual([host]);
    expect(find('ConfigMap', 'parley').data.PUBLIC_URL).toBe(`https://${host}`);
  });

  it('lets the ingress controller reach the API, Prometheus the metrics, and nobody anything else', () => {
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
    const open = (part: string) => {
      const { labels } = find('Deployment', `parley-${part}`).spec.template.metadata;
      return policies
        .filter(({ spec: { podSelector, policyTypes } }) => {
          const wanted = Object.entries(podSelector.matchLabels);
          return (
            policyTypes.includes('Ingress') && wanted.every(([key, value]) => labels[key] === value)
          );
        })
        .flatMap(({ spec }) => spec.ingress)
        .flatMap(({ from, ports }) =>
          ports.map(({ port }: any) => [
            port,
            ...from.flatMap(({ namespaceSelector }: any) =>
              Object.values(namespaceSelector.matchLabels),
            ),
          ]),
        );
    };
    expect(open('api')).toEqual([
      ['http', 'ingress-nginx'],
      ['metrics', 'monitoring'],
    ]);
    expect(open('worker')).toEqual([['metrics', 'monitoring']]);
    for (const [part, names] of [
      ['api', ['http', 'metrics']],
      ['worker', ['metrics']],
    ] as const) {
      const { ports } = containerOf(find('Deployment', `parley-${part}`));
      expect(ports.map(({ name }: any) => name)).toEqual(names);
    }
  });

  it('lets everything reach the stores, DNS and HTTPS, and no private address by HTTPS', () => {
    const { podSelector, egress } = find('NetworkPolicy', 'parley-outbound').spec;
    for (const { spec } of deployments)
      expect(spec.template.metadata.labels).toMatchObject(podSelector.matchLabels);
    const ports = egress.flatMap(({ ports: each }: any) => each.map(({ port }: any) => port));
    expect(new Set(ports)).toEqual(new Set([53, 5432, 6379, 26379, 443]));
    const [addresses] = egress.flatMap(({ to }: any) => to ?? []);
    expect(addresses.ipBlock.except).toContain('169.254.0.0/16');
  });
});

describe('ops/systemd', () => {
  const folder = 'ops/systemd';
  const names = ['parley-api', 'parley-migrate', 'parley-worker'];
  const fileOf = (name: string) => join(folder, `${name}.service`);
  const settings = (name: string) => read(fileOf(name)).match(/^\w+=.*$/gm) ?? [];
  const ofName = (name: string, key: string) =>
    settings(name)
      .filter((line) => line.startsWith(`${key}=`))
      .map((line) => line.slice(key.length + 1));

  it('has a unit for each program', () => {
    expect(new Set(readdirSync(folder))).toEqual(new Set(names.map((name) => `${name}.service`)));
    for (const name of names) {
      const [command = ''] = ofName(name, 'ExecStart');
      const [env, ...program] = command.split(' ');
      expect([env, isBuilt(program)]).toEqual(['/usr/bin/env', true]);
    }
  });

  it.each(['parley-api', 'parley-worker'])(
    '%s starts behind the migrations, again when it fails, and has time to end',
    (name) => {
      // An installation whose migrations failed comes back by itself.
      expect(ofName(name, 'Wants').join()).toContain('parley-migrate.service');
      expect(ofName(name, 'After').join()).toContain('parley-migrate.service');
      expect(ofName(name, 'Requires')).toEqual([]);
      expect(settings(name)).toEqual(
        expect.arrayContaining([
          'Restart=on-failure',
          'TimeoutStopSec=45',
          'WantedBy=multi-user.target',
        ]),
      );
    },
  );

  it('serves the metrics of the API, and sets no unused variable', () => {
    expect(ofName('parley-api', 'Environment')).toEqual([
      'NODE_ENV=production',
      'METRICS_PORT=9464',
    ]);
    for (const name of ['parley-migrate', 'parley-worker'])
      expect(ofName(name, 'Environment')).toEqual(['NODE_ENV=production']);
    expect(variables).toContain('METRICS_PORT');
  });

  it('confines each program in the same way', () => {
    const own =
      /^(?:Description|Documentation|Wants|After|Type|Environment|ExecStart|TimeoutStopSec|WantedBy)=/;
    const [first = [], ...others] = names.map((name) =>
      settings(name).filter((line) => !own.test(line)),
    );
    for (const other of others) expect(other).toEqual(first);
    expect(first).toEqual(
      expect.arrayContaining([
        'DynamicUser=yes',
        'EnvironmentFile=/etc/parley/parley.env',
        'NoNewPrivileges=yes',
        'ProtectSystem=strict',
        'PrivateTmp=yes',
        'CapabilityBoundingSet=',
      ]),
    );
  });

  it('is installed by the commands of the documentation', () => {
    const page = read('docs/self-hosting.md');
    const [workingDirectory = ''] = ofName('parley-api', 'WorkingDirectory');
    expect(page).toContain('node scripts/payload.mjs "/opt/parley/$version"');
    expect(page).toContain(`ln -sfn "$version" ${workingDirectory}`);
    expect(page).toContain(`${folder}/*.service /etc/systemd/system`);
    for (const name of ofName('parley-api', 'EnvironmentFile')) expect(page).toContain(name);
  });

  // `npm test` names what is missing.
  const hasSystemd = !spawnSync('systemd-analyze', ['--version']).error;
  (hasSystemd || process.env.CI ? it : it.skip)('has no setting that systemd does not know', () => {
    const { stderr, status } = spawnSync('systemd-analyze', ['verify', ...names.map(fileOf)], {
      encoding: 'utf8',
    });
    const ours = stderr.split('\n').filter((line) => line.includes('parley'));
    expect({ ours, status }).toEqual({ ours: [], status: 0 });
  });
});
