import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from '../../config/config.js';
import { LOGGER } from '../../logging/logging.module.js';
import { Metrics } from '../../metrics/metrics.js';
import { SecretBox } from '../../secrets/secret-box.js';
import { Tracing } from '../../tracing/tracing.js';
import type { ClaimedDelivery } from './delivery-claims.js';
import { type DeliveryResult, DeliverySettlement } from './delivery-settlement.js';
import { Endpoints } from './endpoints.js';
import { signatureHeaders, webhookId } from './event-signature.js';
import { retryDelayMs } from './retry-schedule.js';
import { type AttemptAnswer, WebhookClient } from './webhook-client.js';

/** Opened secrets that are kept; a rotation brings a new sealed text, so none goes stale. */
const openedMax = 10_000;

/** One attempt: sign, post, judge, settle. */
@Injectable()
export class DeliveryAttempts {
  private readonly opened = new Map<string, string>();

  constructor(
    private readonly config: Config,
    private readonly client: WebhookClient,
    private readonly settlement: DeliverySettlement,
    private readonly endpoints: Endpoints,
    private readonly secrets: SecretBox,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Makes an attempt. Never rejects: what cannot be settled is due again when its lease ends. */
  async make(delivery: ClaimedDelivery): Promise<void> {
    try {
      const result = await this.attempt(delivery);
      this.metrics.deliveries.inc({ outcome: result.status });
      const isFailing = await this.settlement.settle(result);
      if (result.attempt?.statusCode === 410)
        await this.endpoints.switchOff(delivery.apiKeyId, 'gone');
      else if (isFailing) await this.endpoints.switchOff(delivery.apiKeyId, 'failing');
    } catch (error) {
      this.logger.error({ err: error, delivery_id: delivery.id }, 'a delivery broke off');
    }
  }

  private async attempt(delivery: ClaimedDelivery): Promise<DeliveryResult> {
    const { id, apiKeyId, number, url, isOff } = delivery;
    if (url === null || isOff) {
      const error = isOff ? 'endpoint_off' : 'no_endpoint';
      return { id, apiKeyId, number, status: 'failed', retryInMs: null, error, attempt: null };
    }
    const startedAt = new Date();
    const secrets = delivery.sealedSecrets.map((sealed) => this.open(sealed, apiKeyId));
    const headers = signatureHeaders(
      webhookId(delivery.eventId),
      startedAt,
      delivery.body,
      secrets,
    );
    const span =
      delivery.traceparent === null
        ? null
        : this.tracing.start('deliver event', {
            kind: 'client',
            parent: delivery.traceparent,
            attributes: { 'parley.delivery_id': id, 'parley.attempt': number },
          });
    // The receiver's own trace continues ours.
    const traced = span ? { ...headers, traceparent: span.traceparent } : headers;
    const answer = await this.client.post(url, traced, delivery.body);
    const judged = this.judge(delivery, answer);
    span?.end(
      { 'http.response.status_code': answer.statusCode ?? undefined },
      judged.error ?? undefined,
    );
    this.metrics.deliveryDuration.observe(answer.durationMs / 1_000);
    this.logger.debug(
      {
        delivery_id: id,
        api_key_id: apiKeyId,
        attempt: number,
        status: answer.statusCode,
        error: answer.error,
        duration_ms: answer.durationMs,
        trace_id: span?.traceId,
      },
      'event posted',
    );
    const { statusCode, response, durationMs } = answer;
    return {
      id,
      apiKeyId,
      number,
      ...judged,
      attempt: { startedAt, durationMs, statusCode, response },
    };
  }

  private judge(
    { tries }: ClaimedDelivery,
    { statusCode, error, retryAfterSeconds }: AttemptAnswer,
  ): Pick<DeliveryResult, 'status' | 'retryInMs' | 'error'> {
    if (statusCode !== null && statusCode >= 200 && statusCode < 300) {
      return { status: 'succeeded', retryInMs: null, error: null };
    }
    const reason = error ?? `http_${statusCode}`;
    const retryInMs =
      statusCode === 410
        ? null
        : retryDelayMs(tries, this.config.webhookRetrySeconds, retryAfterSeconds);
    return { status: retryInMs === null ? 'failed' : 'retrying', retryInMs, error: reason };
  }

  private open(sealed: string, apiKeyId: string): string {
    const known = this.opened.get(sealed);
    if (known !== undefined) return known;
    const secret = this.secrets.open(sealed, `api_keys.webhook_secret.${apiKeyId}`);
    if (this.opened.size >= openedMax) this.opened.clear();
    this.opened.set(sealed, secret);
    return secret;
  }
}
