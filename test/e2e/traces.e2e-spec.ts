import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addApiKey } from '../support/api-keys.js';
import { GraphProgram } from '../support/graph.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { type CollectedSpan, TraceCollector } from '../support/trace-collector.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { addWebhookKey, demoNumber } from '../support/webhooks.js';

const buttonRoute = 'POST /api/v1/external/messages/interactive/button';

/** A caller's own trace context, and its parts. */
function newTrace(flags: '00' | '01') {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}

describe('traces', () => {
  let collector: TraceCollector;
  let receiver: WebhookReceiver;
  let stack: Stack;

  beforeAll(async () => {
    collector = await TraceCollector.start();
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({
      webhooks: true,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'debug' },
    });
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
    await collector?.close();
  });

  /** The spans of a trace, by name, once all of them have arrived. */
  async function spansOf(traceId: string, names: string[]): Promise<Map<string, CollectedSpan>> {
    const found = () => collector.of(traceId);
    await until(() => names.every((name) => found().some((span) => span.name === name)));
    return new Map(found().map((span) => [span.name, span]));
  }

  it('follow a message from the caller through API and worker to WhatsApp and the webhook', async () => {
    const { key } = await addWebhookKey(stack, receiver.url('/traced'));
    const { traceId, spanId, traceparent } = newTrace('01');
    const sent = await stack.send(
      'button',
      buttonMessage({ to: newRecipient() }),
      { traceparent },
      {
        apiKey: key,
      },
    );
    const names = [buttonRoute, 'send message', 'POST messages', 'deliver event'];
    const spans = await spansOf(traceId, names);
    const [request, send, call, delivery] = names.map((name) => spans.get(name));

    expect(request).toMatchObject({
      service: 'parley-api',
      parentSpanId: spanId,
      attributes: {
        'http.response.status_code': 200,
        'parley.request_id': sent.body.meta.request_id,
      },
    });
    expect(send).toMatchObject({
      service: 'parley-worker',
      parentSpanId: request?.spanId,
      attributes: { 'parley.message_id': sent.body.data.message_id, 'parley.status': 'sent' },
    });
    expect(call).toMatchObject({
      service: 'parley-worker',
      parentSpanId: send?.spanId,
      attributes: { 'http.response.status_code': 200, 'parley.outcome': 'accepted' },
    });
    expect(delivery).toMatchObject({ service: 'parley-worker', parentSpanId: request?.spanId });
    const received = receiver.at('/traced').map(({ headers }) => headers.traceparent);
    expect(received).toContain(`00-${traceId}-${delivery?.spanId}-01`);
    expect(collector.paths).toContain('/v1/traces');
  });

  it('continue with the user’s answer, to the webhook that gets it', async () => {
    const { key } = await addWebhookKey(stack, receiver.url('/answered'));
    const { traceId, traceparent } = newTrace('01');
    const message = buttonMessage({ to: newRecipient() });
    const sent = await stack.send('button', message, { traceparent }, { apiKey: key });
    const [entry] = await stack.tries(sent.body.data.message_id);
    await stack.control('POST', `messages/${encodeURIComponent(entry?.id ?? '')}/reply`, {
      button_id: 'yes',
    });
    const answer = () =>
      receiver.at('/answered').find(({ body }) => body.event === 'message.received');
    await until(() => answer() !== undefined);
    expect(String(answer()?.headers.traceparent).split('-')[1]).toBe(traceId);
    const deliveredAs = String(answer()?.headers.traceparent).split('-')[2];
    await until(() => collector.of(traceId).some(({ spanId }) => spanId === deliveredAs));
  });

  it('begin with the request where the caller has none', async () => {
    const to = newRecipient();
    const sent = await stack.send('button', buttonMessage({ to }));
    const isOurs = ({ attributes }: CollectedSpan) =>
      attributes['parley.request_id'] === sent.body.meta.request_id;
    await until(() => collector.spans.some(isOurs));
    expect(collector.spans.find(isOurs)?.parentSpanId).toBe('');
  });

  it('show failures', async () => {
    const { traceId, traceparent } = newTrace('01');
    await stack.send('button', buttonMessage({ to: '+15550131026' }), { traceparent });
    const spans = await spansOf(traceId, [buttonRoute, 'POST messages']);
    expect(spans.get('POST messages')).toMatchObject({
      status: 2,
      attributes: { 'parley.platform_error_code': 131026 },
    });
    expect(spans.get(buttonRoute)?.attributes['error.type']).toBe('MESSAGE_SEND_FAILED');
  });

  it('have the same ids as the lines of the log', async () => {
    const { traceId, traceparent } = newTrace('01');
    await stack.send('button', buttonMessage({ to: newRecipient() }), { traceparent });
    const [api] = stack.apis;
    const [worker] = stack.workers;
    const line = `"trace_id":"${traceId}"`;
    await until(() => Boolean(api?.output.includes(line) && worker?.output.includes(line)));
  });

  it('have no token of a program in its address, and neither has the log nor the request log', async () => {
    const program = await GraphProgram.with(stack);
    const { traceId, traceparent } = newTrace('01');
    const tokens = `access_token=${program.token}&input_token=${program.token}&appsecret_proof=${program.token}`;
    for (const path of ['debug_token', demoNumber.phoneNumberId, 'nothing/here', '%zz']) {
      await stack.requestAt(`/graph/v23.0/${path}?${tokens}&fields=id`, {
        apiKey: null,
        headers: { traceparent },
      });
    }
    await spansOf(traceId, ['GET /graph/:version/debug_token', 'GET /graph/:version/:object']);
    const logged = await until(async () => {
      const rows = await stack.sql('select * from request_log where api_key_id = $1', [
        program.keyId,
      ]);
      return rows.length >= 2 && rows;
    });
    const told = [collector.spans, logged, stack.processes.map(({ output }) => output)];
    expect(JSON.stringify(told)).not.toContain(program.token);
  });

  it('are left out when the caller does not sample its own', async () => {
    const unsampled = newTrace('00');
    const sampled = newTrace('01');
    for (const { traceparent } of [unsampled, sampled]) {
      await stack.send('button', buttonMessage({ to: newRecipient() }), { traceparent });
    }
    await spansOf(sampled.traceId, [buttonRoute, 'POST messages']);
    expect(collector.of(unsampled.traceId)).toEqual([]);
  });

  it('hold no number, text or key, and leave out health and metrics', async () => {
    const { id, key } = await addApiKey(stack);
    const { traceId, traceparent } = newTrace('01');
    const to = newRecipient();
    await stack.send(
      'button',
      buttonMessage({ to, body: 'canary' }),
      { traceparent },
      { apiKey: key },
    );
    const spans = await spansOf(traceId, [buttonRoute, 'POST messages']);
    expect(spans.get(buttonRoute)?.attributes['parley.api_key_id']).toBe(id);
    const text = JSON.stringify(collector.spans);
    for (const secret of [to.slice(1), 'canary', key]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/\/health|\/metrics/);
  });

  it('cost nothing while the collector is down', async () => {
    await collector.close();
    const { status } = await stack.send('button', buttonMessage({ to: newRecipient() }));
    expect(status).toBe(200);
  });
});

describe('without a collector', () => {
  it('rows carry no trace, whatever the caller sends', async () => {
    const stack = await Stack.start();
    const { traceparent } = newTrace('01');
    const sent = await stack.send('button', buttonMessage({ to: newRecipient() }), { traceparent });
    const rows = await stack.sql('select traceparent from messages where id = $1', [
      sent.body.data.message_id,
    ]);
    expect(rows).toEqual([{ traceparent: null }]);
    await stack.stop();
  });

  it('OpenTelemetry is not loaded: one file imports it, and only tracing loads that file', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
    const importing = (what: RegExp) =>
      files.filter(
        (file) => file.endsWith('.ts') && what.test(readFileSync(join('src', file), 'utf8')),
      );
    expect(importing(/from '@opentelemetry\/(?!api')/)).toEqual([
      join('tracing', 'open-telemetry.ts'),
    ]);
    expect(importing(/from '.*\/open-telemetry\.js'/)).toEqual([]);
  });
});
