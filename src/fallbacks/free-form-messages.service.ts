import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { type ContactWindow, ContactWindows } from '../contacts/contact-windows.js';
import { AppError } from '../errors/app-error.js';
import { isGiven } from '../http/validation/rules.js';
import type { MessageDraft } from '../messages/message.js';
import type { DraftSource } from '../messages/sends/send.service.js';
import { TemplateMessages } from '../templates/sends/template-messages.service.js';
import type { FallbackDto, FreeFormDto } from './free-form.dto.js';

/** With less time left than this, a message might arrive after the window has closed. */
const marginMs = 30_000;

/** The errors that a route of such messages adds because of a window or a fallback. */
export const freeFormRefusals = [
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_NOT_CONFIGURED',
  'INVALID_TEMPLATE_PARAMS',
  'MISSING_REQUIRED_VARIABLE',
  'RECIPIENT_NOT_SUPPORTED',
  'RECIPIENT_OPTED_OUT',
  'WINDOW_CLOSED',
] as const;

type FreeForm = FreeFormDto & { readonly reference?: string | null };

/** Messages that reach only users who wrote within 24 hours, and the templates in their place. */
@Injectable()
export class FreeFormMessages {
  constructor(
    private readonly templates: TemplateMessages,
    private readonly windows: ContactWindows,
  ) {}

  /**
   * What to send for a message: itself, or its fallback where the window of the recipient is closed. It throws
   * AppError PERMISSION_DENIED, what templates throw, and WINDOW_CLOSED, in this order.
   */
  choice(caller: Principal, message: FreeForm, source: DraftSource): DraftSource {
    const { window, fallback } = message;
    if (!isGiven(fallback) && window !== 'require_open') return source;
    return async () => {
      const draft = typeof source === 'function' ? await source() : source;
      const replacement = isGiven(fallback) && (await this.compile(caller, message, fallback));
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

  /** The template, checked as if it were sent by itself. */
  private compile(
    caller: Principal,
    { to, to_user_id, reference }: FreeForm,
    { variables, components, ...named }: FallbackDto,
  ): Promise<MessageDraft> {
    if (!caller.permissions.has('send_template')) {
      throw new AppError('PERMISSION_DENIED', {
        message: 'The API key lacks the permission send_template, which a fallback needs.',
        details: { permission: 'send_template' },
      });
    }
    const template = { ...named, to, to_user_id, reference };
    return isGiven(components)
      ? this.templates.raw(caller, { ...template, components })
      : this.templates.filled(caller, { ...template, variables });
  }
}

function isOver({ state, expiresAt }: ContactWindow): boolean {
  if (state !== 'open' || expiresAt === null) return state === 'closed';
  return expiresAt.getTime() - Date.now() < marginMs;
}
