import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { type ContactWindow, ContactWindows } from '../contacts/contact-windows.js';
import { AppError, validationError } from '../errors/app-error.js';
import { isGiven } from '../http/validation/rules.js';
import type { MessageDraft } from '../messages/message.js';
import { MessageReads, type MessageScope } from '../messages/reads/message-reads.js';
import { addressOf, recipientOf } from '../messages/sends/recipient.dto.js';
import type { DraftSource } from '../messages/sends/send.service.js';
import { TemplateMessages } from '../templates/sends/template-messages.service.js';
import { UploadedFiles, withFiles } from '../uploads/uploaded-files.js';
import type { FallbackDto, FreeFormDto } from './free-form.dto.js';
import type { FreeFormType } from './free-form-type.js';
import { isPlatformMessageId } from './reply-target.js';

/** A draft, and what is to be thrown if nothing else is: one of its files cannot be sent. */
type FoundDraft = MessageDraft & { readonly refusal?: AppError | null };

/** If less time than this is left, a message might arrive after the window has closed. */
const marginMs = 30_000;

/** The errors that a route of such messages adds because of a window or a fallback. */
export const freeFormRefusals = [
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_NOT_CONFIGURED',
  'INVALID_TEMPLATE_PARAMS',
  'MISSING_REQUIRED_VARIABLE',
  'MEDIA_EXPIRED',
  'RECIPIENT_NOT_SUPPORTED',
  'RECIPIENT_OPTED_OUT',
  'WINDOW_CLOSED',
] as const;

/** Messages that reach only users who wrote within 24 hours, and the templates in their place. */
@Injectable()
export class FreeFormMessages {
  constructor(
    private readonly templates: TemplateMessages,
    private readonly windows: ContactWindows,
    private readonly reads: MessageReads,
    private readonly uploads: UploadedFiles,
  ) {}

  /** What to send for a request of this type. It throws what `choice` throws, and VALIDATION_ERROR for an unknown message. */
  draftOf(type: FreeFormType, caller: Principal, message: FreeFormDto): DraftSource {
    const field = type.aboutField ?? 'reply_to';
    const about = (message as unknown as Record<string, string | null | undefined>)[field];
    const uses = type.files?.(message as never) ?? [];
    if (!isGiven(about) && uses.length === 0) {
      return this.choice(caller, message, draftOf(type, message, null));
    }
    return this.choice(caller, message, async () => {
      const id = isGiven(about) ? await this.platformIdOf(caller, field, about) : null;
      const draft = draftOf(type, message, id);
      if (uses.length === 0) return draft;
      const found = await this.uploads.find(caller, uses, message.send_at);
      if (Object.keys(found.faults).length > 0) throw validationError(found.faults);
      return {
        ...draft,
        payload: withFiles(draft.payload, found.files),
        refusal: found.refusal,
        needs: { mediaUntil: found.until },
      };
    });
  }

  /** WhatsApp's id of a message. Its own ids are passed on as they are: we may not know them. */
  private async platformIdOf(scope: MessageScope, field: string, target: string): Promise<string> {
    if (isPlatformMessageId(target)) return target;
    const message = await this.reads.findMessage(target.toLowerCase(), scope);
    if (!message) throw validationError({ [field]: 'is not the id of a message of this account' });
    if (message.platformMessageId === null) {
      throw validationError({ [field]: 'is the id of a message that WhatsApp does not have' });
    }
    return message.platformMessageId;
  }

  /**
   * What to send for a message: itself, or its fallback where the window of the recipient is closed. It throws
   * AppError PERMISSION_DENIED, what templates throw, MEDIA_TYPE, MEDIA_EXPIRED and WINDOW_CLOSED, in this order.
   */
  private choice(
    caller: Principal,
    message: FreeFormDto,
    source: MessageDraft | (() => Promise<FoundDraft>),
  ): DraftSource {
    const { window, fallback } = message;
    const isPlain = !isGiven(fallback) && window !== 'require_open';
    if (isPlain && typeof source !== 'function') return source;
    return async () => {
      const { refusal, ...draft }: FoundDraft =
        typeof source === 'function' ? await source() : source;
      const replacement =
        isGiven(fallback) && (await this.compile(caller, message, fallback, refusal ?? null));
      if (refusal) throw refusal;
      if (isPlain) return draft;
      if (isGiven(message.send_at)) return laterOf(draft, replacement || null);
      const now = await this.windows.findWindow(caller, {
        phone: message.to ?? null,
        userId: message.to_user_id ?? null,
      });
      if (replacement) {
        return isOver(now)
          ? { ...replacement, sentAs: 'fallback' }
          : { ...draft, sentAs: 'message', fallback: replacement.payload };
      }
      if (now.state !== 'closed') return draft;
      throw new AppError('WINDOW_CLOSED', {
        details: { expired_at: now.expiresAt?.toISOString() ?? null },
      });
    };
  }

  /**
   * The template, checked as if it were sent by itself.
   * @param refusal what is wrong with the media of the message: it comes before what is wrong with the recipient.
   */
  private async compile(
    caller: Principal,
    { to, to_user_id, reference, send_at }: FreeFormDto,
    { variables, components, ...named }: FallbackDto,
    refusal: AppError | null,
  ): Promise<MessageDraft> {
    if (!caller.permissions.has('send_template')) {
      throw new AppError('PERMISSION_DENIED', {
        message: 'The API key lacks the permission send_template, which a fallback needs.',
        details: { permission: 'send_template' },
      });
    }
    const template = { ...named, to, to_user_id, reference, send_at };
    try {
      return await (isGiven(components)
        ? this.templates.raw(caller, { ...template, components })
        : this.templates.filled(caller, { ...template, variables }));
    } catch (error) {
      const isOfRecipient = error instanceof AppError && error.code === 'RECIPIENT_NOT_SUPPORTED';
      throw isOfRecipient && refusal ? refusal : error;
    }
  }
}

/** @param about WhatsApp's id of the message that it is about, or null. */
export function draftOf(
  type: FreeFormType,
  message: FreeFormDto,
  about: string | null,
): MessageDraft {
  const isAnswer = about !== null && type.aboutField === undefined;
  return {
    type: type.type,
    ...recipientOf(message),
    reference: message.reference ?? null,
    payload: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      ...addressOf(message),
      ...(isAnswer && { context: { message_id: about } }),
      ...type.content(message as never, about),
    },
  };
}

/** A message to send later: its window is looked at when its time has come. */
function laterOf(draft: MessageDraft, replacement: MessageDraft | null): MessageDraft {
  const { mediaUntil } = draft.needs ?? {};
  if (!replacement) return { ...draft, needs: { mediaUntil, window: true } };
  const needs = { ...replacement.needs, mediaUntil };
  return { ...draft, sentAs: 'message', fallback: replacement.payload, needs };
}

function isOver({ state, expiresAt }: ContactWindow): boolean {
  if (state !== 'open' || expiresAt === null) return state === 'closed';
  return expiresAt.getTime() - Date.now() < marginMs;
}
