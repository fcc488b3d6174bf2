import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { parse, parseAllDocuments } from 'yaml';
import { version } from '../../src/config/version.js';
import { addApiKey } from '../support/api-keys.js';
import { freePort, ServerProcess } from '../support/server-process.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { addWebhookKey, demoNumber, notify } from '../support/webhooks.js';

type Labels = Readonly<Record<string, string>>;

/** What Prometheus would read: each sample with its labels and value. */
async function scrape(url: string | undefined) {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name, labels = '', value]) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, label]) => [key, label]),
      ),
      value: Number(value),
    }),
  );
  const valuesOf = (name: string, labels: Labels = {}) =>
    samples
      .filter((sample) => sample.name === name)
      .filter((sample) => Object.entries(labels).every(([key, is]) => sample.labels[key] === is))
      .map(({ value }) => value);
  return {
    contentType: response.headers.get('content-type'),
    /** Sum of all samples with these labels; null when there is none. */
    value: (name: string, labels?: Labels): number | null => {
      const values = valuesOf(name, labels);
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
    },
    names: new Set(samples.map(({ name }) => name)),
    text,
  };
}

/** An address of this machine that is not its loopback one. */
const outerAddress = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;

describe('metrics', () => {
  let stack: Stack;
  let metricsPort: number;
  const api = () => scrape(stack.apis[0]?.url);
  const worker = () => scrape(stack.workers[0]?.url);
  const onMetricsPort = () => scrape(`http://127.0.0.1:${metricsPort}`);

  beforeAll(async () => {
    metricsPort = await freePort();
    stack = await Stack.start({ env: { HOST: '0.0.0.0', METRICS_PORT: String(metricsPort) } });
  });

  afterAll(() => stack?.stop());

  it('are served in Prometheus’ text format by both processes', async () => {
    for (const { contentType, value } of [await api(), await onMetricsPort(), await worker()]) {
      expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(value('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
      const build = { version, node_version: process.versions.node };
      expect(value('parley_build_info', build)).toBe(1);
      expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
      expect(value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
      for (const pool of ['general', 'hot']) {
        const labels = { db_client_connection_pool_name: pool };
        expect(value('db_client_connection_max', labels)).toBeGreaterThan(0);
        expect(value('db_client_connection_pending_requests', labels)).toBe(0);
      }
      expect(value('db_client_connection_count')).toBeGreaterThan(0);
    }
  });

  it('count requests by route and status', async () => {
    const labels = {
      http_request_method: 'POST',
      http_route: '/api/v1/external/messages/interactive/button',
      http_response_status_code: '200',
    };
    const count = async () =>
      (await api()).value('http_server_request_duration_seconds_count', labels);
    const before = (await count()) ?? 0;
    await stack.send('button', buttonMessage({ to: newRecipient() }));
    await until(async () => (await count()) === before + 1);
    const { value } = await api();
    expect(value('http_server_request_duration_seconds_sum', labels)).toBeGreaterThan(0);
  });

  it('count notifications that change nothing by their field, unknown ones together', async () => {
    const count = async (field: string) =>
      (await worker()).value('parley_notifications_ignored_total', { field });
    const known = ['business_capability_update', 'security', 'history', 'smb_app_state_sync'];
    for (const field of [...known, 'brand_new', 'newer_still']) {
      await notify(stack, {
        object: 'whatsapp_business_account',
        entry: [{ id: demoNumber.businessAccountId, changes: [{ field, value: { field } }] }],
      });
    }
    await until(async () => (await count('other')) === 2);
    for (const field of known) await until(async () => (await count(field)) === 1);
    expect(await count('brand_new')).toBeNull();
  });

  it('give unknown routes one series, whatever their path', async () => {
    for (const path of ['/nothing', '/nothing/else']) await stack.requestAt(path);
    const labels = { http_response_status_code: '404', http_route: '' };
    await until(async () => {
      const { value } = await api();
      return (value('http_server_request_duration_seconds_count', labels) ?? 0) >= 2;
    });
    expect((await api()).text).not.toContain('nothing');
  });

  it('count sends by outcome, with WhatsApp’s time for them', async () => {
    await stack.send('button', buttonMessage({ to: newRecipient() }));
    await stack.send('button', buttonMessage({ to: '+15550131026' }));
    await until(async () => {
      const { value } = await worker();
      return (
        (value('parley_sends_total', { outcome: 'sent' }) ?? 0) > 0 &&
        value('parley_sends_total', { outcome: 'failed' }) === 1
      );
    });
    const { value } = await worker();
    const refused = { mode: 'live', outcome: 'refused' };
    expect(value('parley_platform_request_duration_seconds_count', refused)).toBe(1);
    expect(value('parley_platform_request_duration_seconds_sum')).toBeGreaterThan(0);
  });

  it('show the backlog and its age', async () => {
    await stack.sql(
      `update accounts set hold_kind = 'throttled', hold_until = now() + interval '1 h'`,
    );
    await stack.send('button', buttonMessage({ to: newRecipient() }), { Prefer: 'respond-async' });
    await until(async () => (await worker()).value('parley_messages', { status: 'queued' }) === 1);
    expect((await worker()).value('parley_numbers_on_hold', { kind: 'throttled' })).toBe(1);
    // More workers would not help a number on hold.
    expect((await worker()).value('parley_queue_oldest_due_seconds')).toBe(0);
    expect((await worker()).value('parley_sends_in_flight')).toBe(0);
    expect((await api()).value('parley_callers_waiting')).toBe(0);
    await stack.sql('update accounts set hold_kind = null');
    await until(async () => (await worker()).value('parley_messages', { status: 'queued' }) === 0);
  });

  it('count deliveries of webhooks by outcome', async () => {
    const receiver = await WebhookReceiver.start();
    const { key } = await addWebhookKey(stack, receiver.url('/events'));
    await stack.send('button', buttonMessage({ to: newRecipient() }), {}, { apiKey: key });
    await until(async () => {
      const { value } = await worker();
      return value('parley_webhook_deliveries_total', { outcome: 'succeeded' }) === 1;
    });
    expect((await worker()).value('parley_webhook_request_duration_seconds_count')).toBe(1);
    await receiver.close();
  });

  it('count refusals by code, and those of full windows apart', async () => {
    const { key } = await addApiKey(stack, { rateLimit: 1 });
    for (let calls = 0; calls < 2; calls += 1) await stack.get('/templates', { apiKey: key });
    await until(async () => {
      const { value } = await api();
      return (value('parley_quota_refusals_total', { window: 'minute' }) ?? 0) >= 1;
    });
    const { value } = await api();
    expect(value('parley_refusals_total', { code: 'RATE_LIMIT_EXCEEDED' })).toBeGreaterThan(0);
    expect(value('parley_quota_refusals_total', { window: 'day' })).toBeNull();
  });

  it('count uploads that the client aborts, which are no errors of ours', async () => {
    const { hostname, port } = new URL(stack.apis[0]?.url ?? '');
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(
      'POST /api/v1/external/messages/text HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    );
    await once(socket, 'connect');
    // The request is being read: whatever is asked after it has been answered.
    await api();
    socket.destroy();
    await until(async () => (await api()).value('parley_requests_aborted_total') === 1);
    expect(stack.apis[0]?.output).not.toMatch(/"level":"(?:error|warn)"/);
  });

  it('contain no number, key or text', async () => {
    const to = newRecipient();
    await stack.send('button', buttonMessage({ to, body: 'canary' }));
    for (const { text } of [await api(), await worker()]) {
      expect(text).not.toMatch(/canary|pk_live|\+\d{7}/);
      expect(text).not.toContain(to.slice(1));
    }
  });

  it('include everything that the dashboard, the alerts and the scaler use, and are documented', async () => {
    const there = new Set(
      [await onMetricsPort(), await worker()].flatMap(({ text }) =>
        [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
          type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
        ),
      ),
    );
    const expressions = [
      ...readFileSync('ops/grafana/parley.json', 'utf8').matchAll(/"expr": "(.+)"/g),
      ...readFileSync('ops/prometheus-alerts.yaml', 'utf8').matchAll(
        /expr: (?:>-\n)?([^]+?)\n +\w+:/g,
      ),
      ...readFileSync('ops/kubernetes/keda.yaml', 'utf8').matchAll(/query: (.+)/g),
    ].map(([, expression = '']) => expression);
    expect(expressions.length).toBeGreaterThan(30);
    const asked = new Set(
      expressions
        .map((expression) => expression.replaceAll(/\{[^}]*\}|by \([^)]*\)/g, ''))
        .flatMap(
          (expression) => expression.match(/\b(?:parley|http|nodejs|process|db)_\w+/g) ?? [],
        ),
    );
    expect([...asked].filter((name) => !there.has(name))).toEqual([]);

    const page = readFileSync('docs/metrics.md', 'utf8');
    const ours = [...there].filter((name) => /^(parley|http|db)_/.test(name));
    const plain = new Set(ours.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    expect([...plain].filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });

  it('are collected from these ports in every installation that we ship', () => {
    const read = (path: string) => readFileSync(path, 'utf8');
    const { services } = parse(read('compose.yaml'), { merge: true });
    const scraped = parse(read('ops/prometheus.yaml')).scrape_configs.flatMap((config: any) =>
      config.dns_sd_configs.map(({ names: [name], port }: any) => [name, port]),
    );
    const { environment, expose } = services.api;
    expect(scraped).toEqual([
      ['api', Number(environment.METRICS_PORT)],
      ['worker', 3001],
    ]);
    expect([expose, services.worker.expose]).toEqual([[environment.METRICS_PORT], ['3001']]);

    const { METRICS_PORT } = parse(read('ops/kubernetes/configuration.yaml')).data;
    for (const [part, port] of [
      ['api', METRICS_PORT],
      ['worker', '3001'],
    ]) {
      const [{ spec }] = parseAllDocuments(read(`ops/kubernetes/${part}.yaml`)).map((document) =>
        document.toJS(),
      );
      const { metadata, spec: pod } = spec.template;
      expect(metadata.annotations).toEqual({
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': port,
        'prometheus.io/path': '/metrics',
      });
      const ports = pod.containers[0].ports;
      expect(ports).toContainEqual({ name: 'metrics', containerPort: Number(port) });
      const monitor = parse(read('ops/kubernetes/pod-monitor.yaml')).spec;
      expect(metadata.labels).toMatchObject(monitor.selector.matchLabels);
      expect(monitor.podMetricsEndpoints).toEqual([
        { port: 'metrics', path: '/metrics', interval: '15s' },
      ]);
    }
  });

  describe('of the API on METRICS_PORT', () => {
    const read = async (path: string, headers: Record<string, string> = {}, host = '127.0.0.1') => {
      const response = await fetch(`http://${host}:${metricsPort}${path}`, { headers });
      return { status: response.status, text: await response.text() };
    };

    it('are there for whoever reaches the port, and say the same as on PORT', async () => {
      await stack.send('button', buttonMessage({ to: newRecipient() }));
      const host = outerAddress ?? '127.0.0.1';
      const forwarded = { 'X-Forwarded-For': '203.0.113.7', Via: '1.1 proxy' };
      await until(async () => {
        const { status, text } = await read('/metrics', forwarded, host);
        return status === 200 && text.includes('http_route="/api/v1/external/messages/interactive');
      });
    });

    it('come with health, which tells the version', async () => {
      const live = await read('/health/live', { 'X-Forwarded-For': '203.0.113.7' });
      expect([live.status, JSON.parse(live.text)]).toEqual([200, { status: 'ok', version }]);
      const ready = await read('/health/ready');
      expect([ready.status, JSON.parse(ready.text)]).toMatchObject([200, { database: 'up' }]);
    });

    it.each(['/', '/dashboard', '/docs', '/openapi.json', '/api/v1/external/messages'])(
      'come with nothing else: %s',
      async (path) => {
        expect((await read(path)).status).toBe(404);
      },
    );

    it('do not keep the process from stopping', async () => {
      const port = await freePort();
      const env = { ...stack.apis[0]?.env, PORT: String(port), METRICS_PORT: '0' };
      const another = new ServerProcess('another API', 'dist/src/main.js', port, env);
      another.launch();
      await another.ready();
      expect(another.output).toContain('metrics ready');
      expect(await another.stop()).toBe('SIGTERM');
    });
  });

  describe('of the API on PORT', () => {
    const url = () => new URL(`${stack.apis[0]?.url}/metrics`);
    const notFound = { success: false, error: { code: 'NOT_FOUND' } };

    it.each([
      ['X-Forwarded-For', '127.0.0.1'],
      ['Forwarded', 'for=127.0.0.1'],
      ['X-Real-IP', '127.0.0.1'],
      ['X-Forwarded-Proto', 'https'],
      ['Via', '1.1 proxy'],
    ])('are hidden from a request with %s', async (name, value) => {
      const response = await fetch(url(), { headers: { [name]: value } });
      expect([response.status, await response.json()]).toMatchObject([404, notFound]);
    });

    // A machine without a network has no other address to come from.
    const elsewhere = outerAddress ? it : it.skip;
    elsewhere('are hidden from another machine', async () => {
      const fromOutside = Object.assign(url(), { hostname: outerAddress });
      const response = await fetch(fromOutside);
      expect([response.status, await response.json()]).toMatchObject([404, notFound]);
    });

    it('are hidden under a host name that a web page may have', async () => {
      const statusFor = async (host: string) => {
        const [answer] = await once(get(url(), { headers: { Host: host } }), 'response');
        answer.resume();
        return answer.statusCode;
      };
      expect(await statusFor('evil.example')).toBe(404);
      expect(await statusFor('localhost')).toBe(200);
    });

    it('are hidden from other methods', async () => {
      const response = await fetch(url(), { method: 'POST' });
      expect([response.status, await response.json()]).toMatchObject([404, notFound]);
    });
  });
});
