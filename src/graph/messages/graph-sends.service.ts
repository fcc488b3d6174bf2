import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { Config } from '../../config/config.js';
import { isStoreUnavailable } from '../../database/store-errors.js';
import { validationError } from '../../errors/app-error.js';
import { UnknownAcceptanceError } from '../../messages/acceptance/message-acceptance.js';
import type { MessageDraft, MessageFailure } from '../../messages/message.js';
import { type MessageProgress, MessageReads } from '../../messages/reads/message-reads.js';
import { MessageCancellation } from '../../messages/rows/message-cancellation.js';
import { isConcluded, type MessageStatus } from '../../messages/rows/message-status.js';
import { MessageWaiting, type Waiter } from '../../messages/sends/message-waiting.js';
import { SendService } from '../../messages/sends/send.service.js';
import type { SendRequest } from '../../messages/sends/send-options.js';
import { TemplateMessages } from '../../templates/sends/template-messages.service.js';
import { filesIn, UploadedFiles, withFiles } from '../../uploads/uploaded-files.js';
import { failed, notSent, queued, unconfirmed } from './graph-failures.js';
import type { GraphMessage } from './graph-message.js';
import { withOwnMedia } from './own-media.js';

/** A worker knows the outcome of a try by then: WhatsApp has 20 s to answer, and a lease ends after 30 s. */
const tryMaxMs = 35_000;

/** How often a message is looked at whose outcome no hint has told. */
const lookEveryMs = 1_000;

/** How long the database may be away before a caller hears that nothing is known. */
const storeAwayMaxMs = 35_000;

/** What Parley knows for certain about a message. */
interface Certain {
  readonly status: MessageStatus;
  readonly failure: MessageFailure | null;
  readonly platformMessageId?: string | null;
  readonly isHeld?: boolean;
}

/**
 * Sends what came in the form of WhatsApp's own API. Its callers repeat a request that fails, so an answer says that
 * nothing was sent only where nothing will be, either.
 */
@Injectable()
export class GraphSends {
  constructor(
    private readonly config: Config,
    private readonly sends: SendService,
    private readonly waiting: MessageWaiting,
    private readonly reads: MessageReads,
    private readonly cancellation: MessageCancellation,
    private readonly templates: TemplateMessages,
    private readonly uploads: UploadedFiles,
  ) {}

  /**
   * Sends a message, and waits until it is certain what became of it.
   * @param body as it came, for the comparison of repetitions.
   * @returns the answer of WhatsApp's own API.
   * @throws GraphError, and what a send of Parley throws
   */
  async send(request: SendRequest, message: GraphMessage, body: object): Promise<object> {
    const isRepeatable = request.idempotencyKey !== null;
    const { messageId, isReplay, waiter } = await this.sends
      .accept(request, () => this.draftOf(request.principal, message), {
        body,
        times: {},
        // Without a key, a repetition is another message: this one must end before its answer.
        ...(!isRepeatable && {
          expires: { inSeconds: Math.max(1, Math.ceil(this.config.sendWaitMs / 1_000)) },
        }),
        waits: true,
        needsRow: true,
      })
      .catch((error: unknown) => {
        if (!(error instanceof UnknownAcceptanceError)) throw error;
        throw isRepeatable ? queued(error.messageId) : unconfirmed(error.messageId);
      });
    const certain = await this.certainOf(
      messageId,
      isRepeatable,
      waiter ?? this.waiterOf(messageId, this.config.sendWaitMs, isReplay),
    );
    const { status, failure } = certain;
    if (status === 'failed') throw failed(messageId, failure);
    if (status === 'queued') throw queued(messageId);
    if (status === 'cancelled') {
      // Somebody may have cancelled what a standby has forgotten that it was sent.
      throw (await this.reads.isOfPresentHistory(messageId))
        ? notSent(messageId)
        : unconfirmed(messageId);
    }
    if (!certain.platformMessageId) throw unconfirmed(messageId);
    return {
      messaging_product: 'whatsapp',
      contacts: [contactOf(message)],
      messages: [
        {
          id: certain.platformMessageId,
          ...(certain.isHeld
            ? { message_status: 'held_for_quality_assessment' }
            : message.template && { message_status: 'accepted' }),
        },
      ],
    };
  }

  /** What to send. @throws what templates throw; VALIDATION_ERROR, MEDIA_TYPE, MEDIA_EXPIRED */
  private async draftOf(caller: Principal, message: GraphMessage): Promise<MessageDraft> {
    const { type, recipient, toUserId, callbackData, template } = message;
    let { payload } = message;
    if (template) {
      const { language } = await this.templates.approved(
        caller,
        { template_name: template.name, language: template.language },
        { to: recipient, to_user_id: toUserId },
      );
      payload = withLanguage(payload, language);
    }
    const own = withOwnMedia(payload);
    const uses = filesIn(own);
    if (uses.length > 0) {
      const { faults, refusal, files } = await this.uploads.find(caller, uses);
      if (Object.keys(faults).length > 0) throw validationError(faults);
      if (refusal) throw refusal;
      payload = withFiles(own, files);
    }
    return { type, recipient, toUserId, reference: null, payload, callbackData };
  }

  private waiterOf(id: string, waitMs: number, isSoon: boolean): Waiter {
    const waiter = this.waiting.register(id, waitMs, true);
    if (isSoon) this.waiting.readSoon(id);
    return waiter;
  }

  /** Waits for the outcome, and then for as long as it takes until a repetition could not double the message. */
  private async certainOf(id: string, isRepeatable: boolean, first: Waiter): Promise<Certain> {
    let storeAwaySince: number | null = null;
    for (let waiter = first; ; ) {
      const outcome = await waiter.outcome();
      if (isConcluded(outcome.status)) return outcome;
      const progress = await this.progressOf(id, isRepeatable).catch((error: unknown) => {
        if (isStoreUnavailable(error)) return null;
        throw error;
      });
      if (progress && isConcluded(progress.status)) {
        waiter = this.waiterOf(id, lookEveryMs, true);
        continue;
      }
      storeAwaySince = progress ? null : (storeAwaySince ?? performance.now());
      const awayMs = storeAwaySince === null ? 0 : performance.now() - storeAwaySince;
      const restMs = progress ? restOf(progress, isRepeatable) : storeAwayMaxMs - awayMs;
      if (progress?.status === 'queued' && isRepeatable) return { ...progress, failure: null };
      if (restMs <= 0 || this.waiting.isStopping) return { status: 'unconfirmed', failure: null };
      waiter = this.waiterOf(id, Math.min(restMs, lookEveryMs), false);
    }
  }

  /**
   * How far a message is. One whose time is over, or whose process stops, is ended: a worker's claim of it may not be
   * visible yet.
   */
  private async progressOf(id: string, isRepeatable: boolean): Promise<MessageProgress | null> {
    const progress = await this.reads.progress(id);
    if (isRepeatable || progress?.status !== 'queued') return progress;
    const isEarly = this.waiting.isStopping;
    if (!isEarly && restOf(progress, isRepeatable) > 0) return progress;
    await this.cancellation.expire(id, isEarly);
    return this.reads.progress(id);
  }
}

/** How long a message that is not concluded is waited for, in milliseconds. */
function restOf(
  { status, sendingForMs, expiresInMs }: MessageProgress,
  isRepeatable: boolean,
): number {
  if (status === 'sending') return tryMaxMs - (sendingForMs ?? 0);
  return isRepeatable ? 0 : (expiresInMs ?? 0);
}

/** The template that was looked up is the template that is sent. */
function withLanguage(payload: GraphMessage['payload'], code: string): GraphMessage['payload'] {
  const template = payload.template as { language: object };
  return { ...payload, template: { ...template, language: { ...template.language, code } } };
}

function contactOf({ input, recipient }: GraphMessage): object {
  return recipient === null ? { input, user_id: input } : { input, wa_id: recipient.slice(1) };
}
