import { Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../config/version.js';

/** Upper bounds in seconds: those of OpenTelemetry, so that dashboards made elsewhere fit. */
const durationBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20,
];

/**
 * Everything that this process counts, under the names that Prometheus reads. Common metrics have their usual
 * names (OpenTelemetry's semantic conventions, `nodejs_…`, `process_…`); the others begin
 * with `parley_`. Labels have few values, never a message, key, account or phone number.
 */
@Injectable()
export class Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly registry = new Registry();
  private readonly readers: (() => Promise<void> | void)[] = [];

  readonly requestDuration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'How long requests took, by route and status; the route is empty if none matched.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'] as const,
    buckets: durationBuckets,
    registers: [this.registry],
  });

  readonly abortedRequests = new Counter({
    name: 'parley_requests_aborted_total',
    help: 'Requests whose client closed the connection before the answer.',
    registers: [this.registry],
  });

  readonly droppedRequests = new Counter({
    name: 'parley_request_log_dropped_total',
    help: 'Requests that are missing in the request log because the database did not take them in time.',
    registers: [this.registry],
  });

  readonly refusals = new Counter({
    name: 'parley_refusals_total',
    help: 'Error answers, by the code of the error.',
    labelNames: ['code'] as const,
    registers: [this.registry],
  });

  readonly quotaRefusals = new Counter({
    name: 'parley_quota_refusals_total',
    help: 'Requests refused because a window of their API key was full: minute or day.',
    labelNames: ['window'] as const,
    registers: [this.registry],
  });

  readonly sends = new Counter({
    name: 'parley_sends_total',
    help: 'Attempts to send by result: sent, failed, unconfirmed, or queued for another attempt.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly platformDuration = new Histogram({
    name: 'parley_platform_request_duration_seconds',
    help: 'How long WhatsApp took to answer a send: accepted, refused, not_written or ambiguous.',
    labelNames: ['mode', 'outcome'] as const,
    buckets: durationBuckets,
    registers: [this.registry],
  });

  readonly ignoredNotifications = new Counter({
    name: 'parley_notifications_ignored_total',
    help: 'Notifications from WhatsApp that Parley ignores, by their field; unknown fields count as other.',
    labelNames: ['field'] as const,
    registers: [this.registry],
  });

  readonly secretsTried = new Counter({
    name: 'parley_notification_secrets_tried_total',
    help: 'App secrets that bodies at the address for WhatsApp were hashed with: likely ones, and all others.',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  });

  readonly deliveries = new Counter({
    name: 'parley_webhook_deliveries_total',
    help: 'Attempts to deliver an event: succeeded, retrying or failed.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly deliveryDuration = new Histogram({
    name: 'parley_webhook_request_duration_seconds',
    help: 'How long receivers of webhooks took to answer.',
    buckets: durationBuckets,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'parley_build_info',
      help: 'Always 1: which version of Parley runs, on which version of Node.',
      labelNames: ['version', 'node_version'] as const,
      registers: [this.registry],
    }).set({ version, node_version: process.versions.node }, 1);
  }

  /** A value that is read on request. Call it once for each name. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge = new Gauge({ name, help, registers: [this.registry] });
    this.readers.push(() => gauge.set(read()));
  }

  /**
   * Values that are read on request, several at a time.
   * @param read sets the present values; a value that it does not set is not shown.
   */
  gauges<Label extends string>(
    names: readonly { readonly name: string; readonly help: string; readonly labels: Label[] }[],
    read: (gauges: readonly Gauge<Label>[]) => Promise<void> | void,
  ): void {
    const gauges = names.map(
      ({ name, help, labels }) =>
        new Gauge({ name, help, labelNames: labels, registers: [this.registry] }),
    );
    this.readers.push(() => {
      for (const [index, gauge] of gauges.entries()) {
        // A gauge without labels would start at 0 again, which looks like a real value.
        if (names[index]?.labels.length === 0) gauge.remove();
        else gauge.reset();
      }
      return read(gauges);
    });
  }

  /** All of it in Prometheus' text format. */
  async text(): Promise<string> {
    await Promise.all(this.readers.map(async (read) => read()));
    return this.registry.metrics();
  }
}
