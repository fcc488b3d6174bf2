import { Inject, Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { signatureOf } from '#libs/whatsapp';
import { Config } from '../../config/config.js';
import { LOGGER } from '../../logging/logging.module.js';
import { Metrics } from '../../metrics/metrics.js';
import { SecretBox } from '../../secrets/secret-box.js';
import { endSpan, startSpan, traceparentOf } from '../../tracing/tracing.js';
import type { EndpointTarget } from '../leases/endpoint-leases.statements.js';
import type { OpenEvent } from '../open-events.js';
import { signatureHeaders, webhookId } from './event-signature.js';
import { retryDelayMs } from './retry-schedule.js';
import { type AttemptAnswer, LeaseEndedError, WebhookClient } from './webhook-client.js';

/** Opened secrets that are kept; a rotation brings a new sealed text, so none goes stale. */
const openedMax = 10_000;

/** The result of one attempt. */
export interface AttemptResult extends AttemptAnswer {
  readonly startedAt: Date;
  /** The address that it called. */
  readonly url: string;
  readonly isDelivered: boolean;
  /** Why it failed: `http_500`, `timeout` …; null for a success. */
  readonly reason: string | null;
  /** When the next attempt may start, from now; null: the schedule has none. */
  readonly retryInMs: number | null;
}

/** One attempt: sign, post, judge. */
@Injectable()
export class DeliveryAttempts {
  private readonly opened = new Map<string, string>();

  constructor(
    private readonly config: Config,
    private readonly client: WebhookClient,
    private readonly secrets: SecretBox,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Makes an attempt.
   * @param mayWrite asked when the request is about to be written.
   * @throws LeaseEndedError when it may not be written. Other failures are part of the result, unless
   * the endpoint's secrets cannot be read.
   */
  async make(
    event: OpenEvent,
    { url, format, sealedSecrets }: EndpointTarget,
    mayWrite: () => boolean,
  ): Promise<AttemptResult> {
    if (url === null) throw new LeaseEndedError();
    const startedAt = new Date();
    const secrets = sealedSecrets.map((sealed) => this.open(sealed, event.endpointId));
    const id = webhookId(event.eventId);
    const headers: Record<string, string> =
      format === 'whatsapp'
        ? { 'webhook-id': id, 'x-hub-signature-256': signatureOf(event.body, secrets[0] ?? '') }
        : signatureHeaders(id, startedAt, event.body, secrets);
    const number = event.attempts + 1;
    const span =
      event.traceparent === null
        ? null
        : startSpan('deliver event', SpanKind.CLIENT, event.traceparent, {
            'parley.delivery_id': event.id,
            'parley.attempt': number,
          });
    // The receiver's own trace continues ours.
    const traced = span ? { ...headers, traceparent: traceparentOf(span) } : headers;
    const answer = await this.client.post(url, traced, event.body, mayWrite);
    const { statusCode, error, durationMs } = answer;
    const isDelivered = statusCode !== null && statusCode >= 200 && statusCode < 300;
    const reason = isDelivered ? null : (error ?? `http_${statusCode}`);
    const tries = number - event.attemptsBefore;
    const retryInMs = retryDelayMs(
      tries,
      this.config.webhookRetrySeconds,
      answer.retryAfterSeconds,
    );
    endSpan(span, { 'http.response.status_code': statusCode ?? undefined }, reason ?? undefined);
    const isOver = statusCode === 410 || retryInMs === null;
    const outcome = isDelivered ? 'succeeded' : isOver ? 'failed' : 'retrying';
    this.metrics.deliveries.inc({ outcome });
    this.metrics.deliveryDuration.observe(durationMs / 1_000);
    if (this.logger.isLevelEnabled('debug')) {
      this.logger.debug(
        {
          delivery_id: event.id,
          endpoint_id: event.endpointId,
          attempt: number,
          status: statusCode,
          error,
          duration_ms: durationMs,
          trace_id: span?.spanContext().traceId,
        },
        'event posted',
      );
    }
    return { ...answer, startedAt, url, isDelivered, reason, retryInMs };
  }

  private open(sealed: string, endpointId: string): string {
    const known = this.opened.get(sealed);
    if (known !== undefined) return known;
    const secret = this.secrets.open(sealed, `webhook_endpoints.secret.${endpointId}`);
    if (this.opened.size >= openedMax) this.opened.clear();
    this.opened.set(sealed, secret);
    return secret;
  }
}
