import { Inject, Injectable } from '@nestjs/common';
import { type Span, SpanKind } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { SendResult } from '#libs/whatsapp';
import { NumberHolds } from '../accounts/number-holds.js';
import { phoneOf } from '../contacts/contact.js';
import { ToldForms } from '../contacts/forms/told-forms.js';
import { storableText } from '../database/storable-text.js';
import { isStoreUnavailable } from '../database/store-errors.js';
import { LOGGER } from '../logging/logging.module.js';
import type { ClaimedMessage } from '../messages/rows/message-claims.js';
import { type ConcludedMessage, MessageConclusions } from '../messages/rows/message-conclusions.js';
import { type AttemptResult, MessageSettlement } from '../messages/rows/message-settlement.js';
import { Metrics } from '../metrics/metrics.js';
import { SecretUnreadableError } from '../secrets/secret-box.js';
import { endSpan, startSpan, traceparentOf } from '../tracing/tracing.js';
import { NoSimulatorError, PlatformGateway, type PreparedSend } from './platform-gateway.js';
import { judge, type NotPrepared, type Verdict } from './retry-policy.js';

/** Attempts that were settled; `retryInMs` says that the message wants another try. */
export interface Settled {
  readonly retryInMs: number | null;
  /** Whether the message's row was there, at this attempt. */
  readonly isKnown: boolean;
}

const detailMaxLength = 1_000;

/** One claimed message in four steps: prepare, exchange, judge, settle. */
@Injectable()
export class MessageSending {
  constructor(
    private readonly platform: PlatformGateway,
    private readonly settlement: MessageSettlement,
    private readonly holds: NumberHolds,
    private readonly conclusions: MessageConclusions,
    private readonly forms: ToldForms,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sends a claimed message once. Never rejects.
   * @param isProbe the message was let through to see whether its number's hold can end.
   * @returns a function that settles; calling it apart lets the caller give the connection to the
   * next message while the result is being written.
   */
  async sendToPlatform(
    message: ClaimedMessage,
    signal: AbortSignal,
    isProbe = false,
  ): Promise<() => Promise<Settled>> {
    const startedAt = new Date();
    const startedMs = performance.now();
    const span = spanOf(message);
    const prepared = await this.prepare(message);
    const result =
      typeof prepared === 'function'
        ? await this.exchange(message, prepared, signal, span)
        : prepared;
    const tookMs = performance.now() - startedMs;
    const verdict = judge(result, {
      attempt: message.attempt,
      giveUpInMs: message.giveUpInMs - tookMs,
      unpreparedGiveUpInMs: message.expiresInMs - tookMs,
    });
    const attempt = toAttemptResult(message, result, verdict, startedAt, startedMs);
    return async () => {
      const settled = await this.settle(message, attempt, verdict, isProbe, span);
      if (result.outcome === 'accepted') this.noteForm(message, result.waId);
      endSpan(span, { 'parley.status': verdict.status }, failureOf(result));
      return settled;
    };
  }

  /** The client and credentials for the message, or why it cannot be sent yet. */
  private async prepare(message: ClaimedMessage): Promise<PreparedSend | NotPrepared> {
    try {
      return await this.platform.prepare(message);
    } catch (error) {
      this.logger.error({ err: error, message_id: message.id }, 'could not prepare a send');
      return notPrepared(error);
    }
  }

  /** One request to the platform, measured and traced. */
  private async exchange(
    message: ClaimedMessage,
    send: PreparedSend,
    signal: AbortSignal,
    span: Span | null,
  ): Promise<SendResult> {
    const call = span && startSpan('POST messages', SpanKind.CLIENT, traceparentOf(span));
    const result = await send(signal);
    this.metrics.platformDuration.observe(
      { mode: message.mode, outcome: result.outcome },
      result.durationMs / 1_000,
    );
    endSpan(
      call,
      {
        'http.response.status_code': httpStatusOf(result) ?? undefined,
        'parley.outcome': result.outcome,
        'parley.platform_error_code': errorCodeOf(result) ?? undefined,
      },
      failureOf(result),
    );
    return result;
  }

  /** Where the platform calls the number by another form, whoever looks it up by that form must find it. */
  private noteForm({ accountId, mode, payload }: ClaimedMessage, waId: string | null): void {
    if (waId === null || payload.includes(`"${waId}"`) || payload.includes(`"+${waId}"`)) return;
    const { to }: { to?: unknown } = JSON.parse(payload);
    const phone = phoneOf(typeof to === 'string' ? to : null);
    const form = phoneOf(waId);
    if (phone && form) this.forms.note({ accountId, mode, phone, form });
  }

  private async settle(
    message: ClaimedMessage,
    attempt: AttemptResult,
    verdict: Verdict,
    isProbe: boolean,
    span: Span | null,
  ): Promise<Settled> {
    // Before the row is free for another claim: the next try must find the number on hold.
    if (message.mode === 'live') await this.noteNumber(message, attempt, verdict, isProbe);
    const concluded = await this.settleSurely(attempt);
    if (!concluded) return { retryInMs: null, isKnown: false };
    this.metrics.sends.inc({ outcome: verdict.status });
    if (concluded.status === 'queued') return { retryInMs: verdict.retryInMs, isKnown: true };
    this.conclusions.publish(concluded);
    this.logger.debug(
      {
        message_id: message.id,
        attempt: message.attempt,
        outcome: attempt.outcome,
        status: concluded.status,
        http_status: attempt.httpStatus,
        error_code: attempt.errorCode,
        duration_ms: attempt.durationMs,
        trace_id: span?.spanContext().traceId,
      },
      'message settled',
    );
    return { retryInMs: null, isKnown: true };
  }

  /** A result is written as long as the process lives: it is the only proof of what happened. */
  private async settleSurely(attempt: AttemptResult): Promise<ConcludedMessage | null> {
    for (let delayMs = 100; ; delayMs = Math.min(delayMs * 2, 1_000)) {
      try {
        return await this.settlement.settle(attempt);
      } catch (error) {
        if (!isStoreUnavailable(error)) {
          this.logger.error({ err: error, message_id: attempt.id }, 'could not settle a message');
          return null;
        }
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  }

  private async noteNumber(
    message: ClaimedMessage,
    attempt: AttemptResult,
    verdict: Verdict,
    isProbe: boolean,
  ): Promise<void> {
    try {
      if (verdict.trouble) await this.holds.hold(message.accountId, verdict.trouble, isProbe);
      else if (attempt.outcome === 'accepted' || attempt.outcome === 'refused') {
        await this.holds.noteSuccess(message.accountId);
      } else if (isProbe) {
        // This says nothing about the number, so the next message is the probe.
        await this.holds.releaseProbe(message.accountId);
      }
    } catch (error) {
      this.logger.warn({ err: error, account_id: message.accountId }, 'could not record a hold');
    }
  }
}

const failureOf = ({ outcome }: { outcome: string }) =>
  outcome === 'accepted' ? undefined : outcome;

const httpStatusOf = (result: SendResult | NotPrepared) =>
  result.outcome === 'not_written' ? null : result.httpStatus;

const errorCodeOf = (result: SendResult | NotPrepared) =>
  result.outcome === 'refused' ? result.error.code : null;

function notPrepared(error: unknown): NotPrepared {
  const [reason, detail]: [NotPrepared['reason'], string] =
    error instanceof SecretUnreadableError
      ? ['credentials_unreadable', 'no key in SECRET_KEY reads the access token of the account']
      : error instanceof NoSimulatorError
        ? ['no_simulator', error.message]
        : ['store_unavailable', 'the account could not be read from the database'];
  return { outcome: 'not_written', reason, detail };
}

function toAttemptResult(
  message: ClaimedMessage,
  result: SendResult | NotPrepared,
  verdict: Verdict,
  startedAt: Date,
  startedMs: number,
): AttemptResult {
  return {
    id: message.id,
    attempt: message.attempt,
    status: verdict.status,
    platformMessageId: result.outcome === 'accepted' ? result.platformMessageId : null,
    isHeld: result.outcome === 'accepted' && result.messageStatus === 'held_for_quality_assessment',
    failure: verdict.failure,
    retryInMs: verdict.retryInMs,
    startedAt,
    durationMs: Math.round(performance.now() - startedMs),
    outcome: result.outcome,
    httpStatus: httpStatusOf(result),
    errorCode: errorCodeOf(result),
    detail: detailOf(result),
  };
}

/** The detail of an attempt that operators read. PostgreSQL accepts neither NUL nor lone surrogates. */
function detailOf(result: SendResult | NotPrepared): string | null {
  const text =
    result.outcome === 'accepted'
      ? null
      : result.outcome === 'refused'
        ? result.response
        : `${result.reason}: ${result.detail}`;
  return text && storableText(text.slice(0, detailMaxLength));
}

/** A message is traced where the request behind it is. */
function spanOf({ id, attempt, mode, traceparent }: ClaimedMessage): Span | null {
  if (traceparent === null) return null;
  const attributes = { 'parley.message_id': id, 'parley.attempt': attempt, 'parley.mode': mode };
  return startSpan('send message', SpanKind.CONSUMER, traceparent, attributes);
}
