/**
 * The parts of a template in `POST /{phone-number-id}/messages`, in the platform's own spelling.
 * Limits are not expressed here; see https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages
 */

/** Media already uploaded, or a public http(s) link that the platform fetches after it accepted the message. */
type MediaSource = { id: string } | { link: string } | { media_id: string };

/** Templates with positional variables omit `parameter_name`; those with named ones carry it on every text parameter. */
interface TextParameter {
  type: 'text';
  text: string;
  parameter_name?: string;
}

interface CurrencyParameter {
  type: 'currency';
  currency: { fallback_value: string; code: string; amount_1000: number };
  parameter_name?: string;
}

interface DateTimeParameter {
  type: 'date_time';
  date_time: { fallback_value: string };
  parameter_name?: string;
}

interface LocationParameter {
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
