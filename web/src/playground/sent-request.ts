import type { MessageDetails } from '../api/types.ts';
import { type Payload, type PlaygroundType, playgroundTypes } from './payloads.ts';

/** A request of ours that would send the same. */
export interface SentRequest {
  readonly type: PlaygroundType;
  readonly body: Payload;
}

type Content = Readonly<Record<string, unknown>>;

interface PlatformPayload {
  readonly type?: string;
  readonly context?: { readonly message_id?: string };
  readonly text?: Content;
  readonly template?: Content & { readonly language?: { readonly code?: string } };
  readonly interactive?: {
    readonly header?: { readonly type?: string; readonly text?: string };
    readonly body?: { readonly text?: string };
    readonly footer?: { readonly text?: string };
    readonly action?: {
      readonly button?: string;
      readonly sections?: unknown;
      readonly buttons?: readonly { readonly reply?: unknown }[];
    };
  };
}

/** The request behind a message, read from what went to WhatsApp; null when that is no longer kept, or cannot be built here. */
export function sentRequest(message: MessageDetails): SentRequest | null {
  const type = playgroundTypes.find((each) => each === message.type);
  if (message.platform_payload === null || !type) return null;
  const payload: PlatformPayload = message.platform_payload;
  const own = {
    ...(payload.context?.message_id && { reply_to: payload.context.message_id }),
    ...(message.reference !== null && { reference: message.reference }),
  };
  const body = {
    to: message.to ?? undefined,
    to_user_id: message.to_user_id ?? undefined,
    ...contentOf(message.type, payload),
    ...own,
  };
  // Without empty members.
  return { type, body: JSON.parse(JSON.stringify(body)) as Payload };
}

function contentOf(type: MessageDetails['type'], payload: PlatformPayload): Content {
  if (type === 'text') return { body: payload.text?.body, preview_url: payload.text?.preview_url };
  if (type === 'media') {
    const kind = payload.type ?? '';
    return { type: kind, ...(payload as Readonly<Record<string, Content>>)[kind] };
  }
  if (type === 'template') {
    const { name, language, components } = payload.template ?? {};
    return { template_name: name, language: language?.code, components };
  }
  const { header, body, footer, action } = payload.interactive ?? {};
  return {
    header: header?.type === 'text' ? header.text : header,
    body: body?.text,
    footer: footer?.text,
    ...(type === 'list'
      ? { button: action?.button, sections: action?.sections }
      : { buttons: action?.buttons?.map(({ reply }) => reply) }),
  };
}
