/**
 * Bodies of `POST /{phone-number-id}/messages`, in the platform's own spelling.
 * Limits are not expressed here; see https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages
 */

/** What every message has. */
export interface MessageEnvelope {
  messaging_product: 'whatsapp';
  recipient_type: 'individual';
  /** Full international number. Digits only, or with a leading `+`. A user id here is answered 200 and lost. */
  to?: string;
  /** A user id, for a message without `to`. */
  recipient?: string;
  /** The message this one replies to. */
  context?: { message_id: string };
  /** At most 512 characters; comes back on every status of this message, to every app that subscribes to the account. */
  biz_opaque_callback_data?: string;
}

export interface TextMessage extends MessageEnvelope {
  type: 'text';
  text: { body: string; preview_url?: boolean };
}

/** Media already uploaded, or a public http(s) link that the platform fetches after it accepted the message. */
export type MediaSource = { id: string } | { link: string };

export type ImageMessage = MessageEnvelope & {
  type: 'image';
  image: MediaSource & { caption?: string };
};
export type VideoMessage = MessageEnvelope & {
  type: 'video';
  video: MediaSource & { caption?: string };
};
export type DocumentMessage = MessageEnvelope & {
  type: 'document';
  document: MediaSource & { caption?: string; filename?: string };
};
export type AudioMessage = MessageEnvelope & { type: 'audio'; audio: MediaSource };
export type StickerMessage = MessageEnvelope & { type: 'sticker'; sticker: MediaSource };
export type MediaMessage =
  | ImageMessage
  | VideoMessage
  | DocumentMessage
  | AudioMessage
  | StickerMessage;

export interface ListRow {
  id: string;
  title: string;
  description?: string;
}

export interface ListSection {
  /** Required when there is more than one section. */
  title?: string;
  rows: ListRow[];
}

export interface InteractiveList {
  type: 'list';
  header?: { type: 'text'; text: string };
  body: { text: string };
  footer?: { text: string };
  action: { button: string; sections: ListSection[] };
}

export type ButtonsHeader =
  | { type: 'text'; text: string }
  | { type: 'image'; image: MediaSource }
  | { type: 'video'; video: MediaSource }
  | { type: 'document'; document: MediaSource & { filename?: string } };

export interface ReplyButton {
  type: 'reply';
  reply: { id: string; title: string };
}

export interface InteractiveButtons {
  type: 'button';
  header?: ButtonsHeader;
  body: { text: string };
  footer?: { text: string };
  action: { buttons: ReplyButton[] };
}

export interface InteractiveMessage extends MessageEnvelope {
  type: 'interactive';
  interactive: InteractiveList | InteractiveButtons;
}

/** Templates with positional variables omit `parameter_name`; those with named ones carry it on every text parameter. */
export interface TextParameter {
  type: 'text';
  text: string;
  parameter_name?: string;
}

export interface CurrencyParameter {
  type: 'currency';
  currency: { fallback_value: string; code: string; amount_1000: number };
  parameter_name?: string;
}

export interface DateTimeParameter {
  type: 'date_time';
  date_time: { fallback_value: string };
  parameter_name?: string;
}

export interface LocationParameter {
  type: 'location';
  location: { latitude: string; longitude: string; name?: string; address?: string };
}

export type HeaderParameter =
  | TextParameter
  | LocationParameter
  | { type: 'image'; image: MediaSource }
  | { type: 'video'; video: MediaSource }
  | { type: 'document'; document: MediaSource & { filename?: string } };

export type BodyParameter = TextParameter | CurrencyParameter | DateTimeParameter;

export type ButtonParameter =
  | { type: 'payload'; payload: string }
  | { type: 'text'; text: string }
  | { type: 'coupon_code'; coupon_code: string }
  | { type: 'action'; action: Record<string, unknown> };

export type TemplateComponent =
  | { type: 'header'; parameters: HeaderParameter[] }
  | { type: 'body'; parameters: BodyParameter[] }
  | {
      type: 'button';
      sub_type: 'quick_reply' | 'url' | 'copy_code' | 'flow' | 'catalog';
      /** Position among the template's buttons; the platform accepts both spellings. */
      index: string | number;
      parameters: ButtonParameter[];
    };

export interface TemplateMessage extends MessageEnvelope {
  type: 'template';
  template: {
    name: string;
    language: { code: string; policy?: 'deterministic' };
    /** Left out when the template has no variables. */
    components?: TemplateComponent[];
  };
}

/** Any body this client is made for. */
export type MessagePayload = TextMessage | MediaMessage | InteractiveMessage | TemplateMessage;
