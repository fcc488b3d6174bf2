import { Injectable } from '@nestjs/common';
import { minuteMs } from '#libs/durations';
import type { Principal } from '../../access/principal.js';
import { Config } from '../../config/config.js';
import { newId } from '../../database/ids.js';
import { AppError, unavailable } from '../../errors/app-error.js';
import { isGiven } from '../../http/validation/rules.js';
import { bodyDigest } from '../../idempotency/canonical-json.js';
import { traceparentOf } from '../../tracing/tracing.js';
import { MessageAcceptance } from '../acceptance/message-acceptance.js';
import { RepeatedMessages } from '../acceptance/repeated-messages.js';
import type { Expiry, MessageDraft, MessageFailure, MessageOutcome } from '../message.js';
import type { SentMessageDto } from '../message-answers.dto.js';
import { fallbackView, sentAsOf } from '../reads/message-view.js';
import { endingLinks } from './ending-links.js';
import { MessageWaiting, type Waiter } from './message-waiting.js';
import { expiryOf, type SendTimes, sendAtOf } from './send.dto.js';
import type { SendRequest } from './send-options.js';

/** The most callers of one process that wait for an outcome; more are refused before acceptance. */
const waitingMax = 10_000;

/** A try that starts later than this before the end of the wait could not be answered any more. */
const answerMarginMs = 1_000;

/** How long a message without a waiting caller may be tried. */
const backgroundGiveUpMs = 15 * minuteMs;

/**
 * A message to send, or what makes it where that takes more than the request: a repetition of an
 * idempotent send is answered even if the message could not be made any more.
 */
export type DraftSource = MessageDraft | (() => Promise<MessageDraft>);

/** How a message is sent. */
export interface SendManner {
  /** The request body, for the comparison of idempotent repetitions. */
  readonly body: object;
  readonly times: SendTimes;
  /** In place of what the times say. */
  readonly expires?: Expiry | null;
  /** Whether the caller waits for the outcome. */
  readonly waits: boolean;
  /** Whether the caller needs to know more of the outcome than that the message was sent. */
  readonly needsRow?: boolean;
}

/** A message that was accepted, or that the request repeats. */
export interface Accepted {
  readonly messageId: string;
  readonly isReplay: boolean;
  /** Null for a repetition. */
  readonly message: MessageDraft | null;
  /** To be cancelled in the end; null for a repetition, and where the caller does not wait. */
  readonly waiter: Waiter | null;
}

/** One send, from the validated request to its answer. */
@Injectable()
export class SendService {
  constructor(
    private readonly config: Config,
    private readonly acceptance: MessageAcceptance,
    private readonly repeated: RepeatedMessages,
    private readonly waiting: MessageWaiting,
  ) {}

  /**
   * Accepts a message and waits for what comes of it, up to `SEND_WAIT_MS`; not if it is to be sent later.
   * @param draft throws an AppError to refuse the request.
   * @param body the request body, for the comparison of idempotent repetitions.
   * @throws AppError MESSAGE_SEND_FAILED, and what `accept` throws
   */
  async sendMessage(
    request: SendRequest,
    draft: DraftSource,
    body: SendTimes,
  ): Promise<SentMessageDto> {
    const { reply, isAsync } = request;
    const warnings = new Set([...(reply.request.warnings ?? []), ...endingLinks(body)]);
    if (warnings.size > 0) reply.request.warnings = [...warnings];
    const isLater = isGiven(body.send_at);
    const waits = !isAsync && !isLater;
    const { messageId, isReplay, message, waiter } = await this.accept(request, draft, {
      body,
      times: body,
      waits,
    });
    try {
      if (isReplay) return await this.answerReplay(request, messageId, waits);
      if (!waiter) {
        answerLater(request);
        return {
          message_id: messageId,
          status: isLater ? 'scheduled' : 'queued',
          ...sentAsOf(message ?? {}),
        };
      }
      const { sentAs = message?.sentAs, ...outcome } = await waiter.outcome();
      return answer({ ...outcome, sentAs });
    } finally {
      waiter?.cancel();
    }
  }

  /**
   * Accepts a message.
   * @param draft throws an AppError to refuse the request.
   * @throws AppError IDEMPOTENCY_KEY_REUSED, RECIPIENT_OPTED_OUT, DAILY_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE
   */
  async accept(
    request: SendRequest,
    draft: DraftSource,
    { body, times, expires: ownExpiry, waits, needsRow = false }: SendManner,
  ): Promise<Accepted> {
    const { principal, reply } = request;
    const idempotency =
      request.idempotencyKey === null
        ? null
        : { route: request.route, key: request.idempotencyKey, bodyDigest: bodyDigest(body) };
    let message: MessageDraft | null = null;
    let sendAt: string | null;
    let expires: Expiry | null;
    try {
      sendAt = sendAtOf(times, this.config.retentionDays);
      expires = ownExpiry ?? expiryOf(times);
      message = typeof draft === 'function' ? await draft() : draft;
      await this.refuseBeforeAcceptance(request, sendAt);
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal;
      // A repetition sends nothing, so nothing prevents its answer.
      const known = idempotency && (await this.repeated.find(principal.apiKeyId, idempotency));
      if (known) return replayOf(request, known);
      const optedOut =
        message?.type === 'template' &&
        (await this.acceptance.findOptOut({ ...principal, ...message }));
      throw optedOut || refusal;
    }
    const id = newId();
    // Registered before the row exists, so that no hint can come too early.
    const waiter = waits ? this.waiting.register(id, this.config.sendWaitMs, needsRow) : null;
    let isOver = false;
    try {
      const { messageId, isReplay, day } = await this.acceptance.accept({
        // Named one by one: V8 grows a spread object field by field, slowly.
        type: message.type,
        recipient: message.recipient,
        toUserId: message.toUserId,
        reference: message.reference,
        payload: message.payload,
        resentFrom: message.resentFrom ?? null,
        sentAs: message.sentAs ?? null,
        fallback: message.fallback ?? null,
        callbackData: message.callbackData ?? null,
        id,
        accountId: principal.accountId,
        apiKeyId: principal.apiKeyId,
        mode: principal.mode,
        needs: message.needs,
        waiting: waits,
        giveUpAfterMs: waits ? this.config.sendWaitMs - answerMarginMs : backgroundGiveUpMs,
        sendAt,
        expires,
        dailyLimit: principal.dailyLimit,
        traceparent: reply.request.span && traceparentOf(reply.request.span),
        idempotency,
      });
      if (isReplay) return replayOf(request, messageId);
      isOver = true;
      reply.request.messageId = messageId;
      if (day) reply.request.dayUnit?.wasTaken(day);
      return { messageId, isReplay, message, waiter };
    } finally {
      if (!isOver) waiter?.cancel();
    }
  }

  /**
   * Whether a message would be accepted now; nothing is sent or stored.
   * @param mayProbe whether a number that is paused may be tried with it.
   * @throws AppError VALIDATION_ERROR for its times, RECIPIENT_OPTED_OUT, SERVICE_UNAVAILABLE
   */
  async check(
    principal: Principal,
    message: MessageDraft,
    times: SendTimes,
    mayProbe: boolean,
  ): Promise<void> {
    const sendAt = sendAtOf(times, this.config.retentionDays);
    expiryOf(times);
    const optedOut =
      message.type === 'template' &&
      (await this.acceptance.findOptOut({ ...principal, ...message }));
    if (optedOut) throw optedOut;
    if (!mayProbe && isPausedFor(principal, sendAt)) throw numberPaused();
    this.refuseWithoutSimulator(principal);
  }

  private async refuseBeforeAcceptance(
    { principal }: SendRequest,
    sendAt: string | null,
  ): Promise<void> {
    // Where nothing else is there to try the number with, one caller's message is.
    if (isPausedFor(principal, sendAt) && !(await this.acceptance.takeProbe(principal.accountId))) {
      throw numberPaused();
    }
    this.refuseWithoutSimulator(principal);
    if (this.waiting.size >= waitingMax) {
      throw unavailable('too_many_waiting', 'Too many sends wait for an answer. Nothing was sent.');
    }
  }

  private refuseWithoutSimulator({ mode }: Principal): void {
    if (mode !== 'test' || this.config.simulatorBaseUrl !== null) return;
    throw unavailable('no_simulator', 'Test keys need a simulator; set SIMULATOR_URL.', {
      retryAfterSeconds: 60,
    });
  }

  /** A repetition sends nothing: it waits as the first caller does and answers the same message. */
  private async answerReplay(
    request: SendRequest,
    messageId: string,
    waits: boolean,
  ): Promise<SentMessageDto> {
    const waitMs = waits ? this.config.sendWaitMs : 0;
    const waiter = this.waiting.register(messageId, waitMs, true);
    this.waiting.readSoon(messageId);
    const outcome = await waiter.outcome();
    const isAhead = outcome.status === 'queued' || outcome.status === 'scheduled';
    if (!waits && isAhead) answerLater(request);
    return answer(outcome);
  }
}

/** The message that a request repeats. */
function replayOf({ reply }: SendRequest, messageId: string): Accepted {
  reply.header('idempotency-replayed', 'true');
  reply.request.messageId = messageId;
  return { messageId, isReplay: true, message: null, waiter: null };
}

/** Says that the outcome comes later, because the caller wants it so. */
function answerLater({ isAsync, reply }: SendRequest): void {
  reply.status(202);
  if (isAsync) reply.header('preference-applied', 'respond-async');
}

function answer(outcome: MessageOutcome): SentMessageDto {
  const { id, status, failure, replaced } = outcome;
  if (status === 'failed') throw new SendFailedError(id, failure);
  // The caller asked for a send, so what happened to the message later does not matter here.
  const isSent = status === 'sent' || status === 'delivered' || status === 'read';
  return {
    message_id: id,
    status: isSent ? 'sent' : status,
    ...sentAsOf(outcome),
    ...(replaced && { fallback_for: replaced }),
  };
}

/** A failed message as an error: 400 when the refusal is for good, 500 when trying later can help. */
export class SendFailedError extends AppError {
  constructor(
    id: string,
    readonly failure: MessageFailure | null,
  ) {
    const isRetryable = failure?.retryable ?? false;
    super('MESSAGE_SEND_FAILED', {
      status: isRetryable ? 500 : 400,
      message: failure?.message,
      details: {
        message_id: id,
        ...(failure?.platformCode === null || failure?.platformCode === undefined
          ? { reason: failure?.reason ?? 'unknown' }
          : {
              whatsapp_error_code: failure.platformCode,
              whatsapp_error_message: failure.platformMessage,
            }),
        retryable: isRetryable,
        ...fallbackView(failure),
      },
    });
  }
}

const isPausedFor = ({ account, mode }: Principal, sendAt: string | null) =>
  sendAt === null && account.isPaused && mode === 'live';

const numberPaused = () =>
  unavailable(
    'number_paused',
    'WhatsApp refuses everything from this number; sending is paused until it accepts messages ' +
      'again. Nothing was sent.',
    { retryAfterSeconds: 60 },
  );
