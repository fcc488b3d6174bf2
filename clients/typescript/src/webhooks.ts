import { areEqual, fromBase64, macOf } from './bytes.js';
import type { components } from './openapi.js';

type Schemas = components['schemas'];

/** A file: fetch it from `url` with your API key (`Parley.getMedia` with its `id`). */
export type ReceivedFile = Schemas['ReceivedFile'];

/** What an end user sent, by its type; what has no form of its own is passed on as WhatsApp sends it. */
export type ReceivedContent =
  | { type: 'button'; button: { text: string; payload: string } }
  | {
      type: 'interactive';
      interactive: { type: 'list_reply'; list_reply: { id: string; title: string } };
    }
  | Of<'flow_reply'>
  | { type: 'text'; text: { body: string } }
  | { type: 'image'; image: ReceivedFile }
  | { type: 'video'; video: ReceivedFile }
  | { type: 'audio'; audio: ReceivedFile }
  | { type: 'document'; document: ReceivedFile }
  | { type: 'sticker'; sticker: ReceivedFile }
  | Of<'location'>
  | Of<'contacts'>
  | Of<'reaction'>
  | Of<'order'>
  | Of<'edit'>
  | Of<'revoke'>
  | Of<'system'>
  | Of<'unsupported'>
  | Of<'unknown'>;

type Of<Type extends string> = Extract<Schemas['ReceivedMessage'], { type: Type }>;

type WithContent<Event extends { data: object }, Content> = Omit<Event, 'data'> & {
  data: Omit<Event['data'], 'message'> & { message: Content };
};

/** An end user wrote, or chose from a message of yours. */
export type MessageReceivedEvent = WithContent<Schemas['MessageReceivedEvent'], ReceivedContent>;

/** The business wrote in the WhatsApp Business app; comes only to webhooks that name it. Null: taken back. */
export type MessageEchoEvent = WithContent<Schemas['MessageEchoEvent'], ReceivedContent | null>;

/** An end user wrote while Meta's own agent answers; comes only to webhooks that name it. */
export type MessageStandbyEvent = WithContent<Schemas['MessageStandbyEvent'], ReceivedContent>;

/** What became of a message. */
export type MessageStatusEvent = Schemas['MessageStatusEvent'];

/** A test from the dashboard. */
export type WebhookTestEvent = Schemas['WebhookTestEvent'];

/** A user has another number or user id, or two contacts are one; comes only to webhooks that name it. */
export type ContactChangedEvent = Schemas['ContactChangedEvent'];

/** A campaign has started, paused, ended or been cancelled; comes only to webhooks that name it. */
export type CampaignStatusEvent = Schemas['CampaignStatusEvent'];

/** Something needs a person; comes only to webhooks of scope `account` that name it. */
export type AlertRaisedEvent = Schemas['AlertRaisedEvent'];

/** It needs nobody any more; comes only to webhooks of scope `account` that name it. */
export type AlertResolvedEvent = Schemas['AlertResolvedEvent'];

/** A user has opted in or out; comes only to webhooks that name it. */
export type ContactConsentEvent = Schemas['ContactConsentEvent'];

export type WebhookEvent =
  | MessageReceivedEvent
  | MessageEchoEvent
  | MessageStandbyEvent
  | MessageStatusEvent
  | ContactChangedEvent
  | ContactConsentEvent
  | CampaignStatusEvent
  | AlertRaisedEvent
  | AlertResolvedEvent
  | WebhookTestEvent;

/** The request is not genuine; answer 401 and ignore it. */
export class WebhookRefusedError extends Error {
  constructor(readonly reason: 'headers' | 'timestamp' | 'signature') {
    super(
      {
        headers: 'the headers of Standard Webhooks are missing or malformed',
        timestamp: 'the time-stamp is too far from now',
        signature: 'no signature verifies',
      }[reason],
    );
    this.name = 'WebhookRefusedError';
  }
}

/** What a framework gives: Node's plain object, or `Headers` of the fetch standard. */
type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

interface VerifyOptions {
  /** How far the time-stamp may be from now, in seconds, either way. Default 300. */
  readonly toleranceSeconds?: number;
  /** Default: now. */
  readonly now?: Date;
}

/**
 * Verifies a webhook and returns its event.
 * @param secrets `whsec_…`; several while you rotate; one of them has to match.
 * @param body the request's body as it came; parsed and serialised again, its bytes may differ.
 * @returns the event, and the id that stays the same over all repetitions of it: keep it, and ignore
 * what you have seen.
 * @throws WebhookRefusedError
 */
export function verifyWebhook(
  secrets: string | readonly string[],
  headers: HeaderSource,
  body: string | Uint8Array,
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): { id: string; event: WebhookEvent } {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp)) throw new WebhookRefusedError('headers');
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookRefusedError('timestamp');
  }
  const given = signatures
    .split(' ')
    .flatMap((entry) => (entry.startsWith('v1,') ? [fromBase64(entry.slice(3))] : []));
  const isGenuine = [secrets].flat().some((secret) => {
    const key = fromBase64(secret.replace(/^whsec_/, ''));
    const wanted = macOf(key, [`${id}.${timestamp}.`, body]);
    return given.some((mac) => areEqual(mac, wanted));
  });
  if (!isGenuine) throw new WebhookRefusedError('signature');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return { id, event: JSON.parse(text) as WebhookEvent };
}

function headerOf(headers: HeaderSource, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : '';
}
