import { createHmac, randomBytes } from 'node:crypto';
import { SecretBox } from '../../src/secrets/secret-box.js';
import { type ApiKeyChange, addApiKey } from './api-keys.js';
import { installation } from './installation.js';
import type { Answer, Stack } from './stack.js';

const route = '/api/v1/platform/whatsapp/webhooks';

/** An API key with a webhook. */
export interface WebhookKey {
  readonly id: string;
  readonly key: string;
  /** `whsec_…` */
  readonly secret: string;
}

/** Adds a key whose events go to `url`. */
export async function addWebhookKey(
  stack: Stack,
  url: string | null,
  setting: ApiKeyChange & { events?: string[] } = {},
): Promise<WebhookKey> {
  const { id, key } = await addApiKey(stack, setting);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await stack.sql('update webhook_endpoints set url = $2, secret = $3, events = $4 where id = $1', [
    id,
    url,
    sealWebhookSecret(id, secret),
    setting.events ?? null,
  ]);
  return { id, key, secret };
}

export function sealWebhookSecret(endpointId: string, secret: string): string {
  const box = new SecretBox([Buffer.from(installation.secretKey, 'base64')]);
  return box.seal(secret, `webhook_endpoints.secret.${endpointId}`);
}

/** JSON as the platform writes it. */
export function platformJson(body: unknown): string {
  return JSON.stringify(body)
    .replaceAll('/', '\\/')
    .replaceAll(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

export function platformSignature(
  body: string | Uint8Array,
  secret = installation.appSecret,
): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * Posts a notification as the platform does, signed; `signature` null sends none. `path` goes to
 * the address of an account, `from` is what a proxy says of the sender.
 */
export function notify(
  stack: Stack,
  body: unknown,
  options: {
    secret?: string;
    signature?: string | null;
    api?: number;
    path?: string;
    from?: string;
  } = {},
): Promise<Answer> {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : platformJson(body);
  const signature = options.signature ?? platformSignature(text, options.secret);
  return stack.requestAt(`${route}${options.path ?? ''}`, {
    method: 'POST',
    apiKey: null,
    body: text,
    api: options.api,
    headers: {
      'Content-Type': 'application/json',
      ...(options.from && { 'X-Forwarded-For': options.from }),
      ...(options.signature !== null && { 'X-Hub-Signature-256': signature }),
    },
  });
}

/** The demo account's number, as notifications name it. */
export const demoNumber = {
  businessAccountId: '200000000000001',
  phoneNumberId: '100000000000001',
  displayPhoneNumber: '15550783881',
};

/** A notification with messages or statuses of one number. */
export function notification(value: Record<string, unknown>, number = demoNumber) {
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: number.businessAccountId, changes: [change(value, number)] }],
  };
}

export function change(value: Record<string, unknown>, number = demoNumber) {
  return {
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: {
        display_phone_number: number.displayPhoneNumber,
        phone_number_id: number.phoneNumberId,
      },
      ...value,
    },
  };
}

let sequence = 0;

/** A platform message id that nothing else uses. */
export function newWamid(): string {
  sequence += 1;
  return `wamid.TEST${process.pid}${Date.now().toString(36)}${sequence}`;
}

export function textMessage(fields: Record<string, unknown> = {}) {
  return {
    from: '14155550199',
    id: newWamid(),
    timestamp: String(Math.floor(Date.now() / 1_000)),
    type: 'text',
    text: { body: 'Hello' },
    ...fields,
  };
}

/** A notification of what WhatsApp says of the quality of the demo's number. */
export const qualityNotification = (event: 'FLAGGED' | 'UNFLAGGED') => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: demoNumber.businessAccountId,
      time: Math.floor(Date.now() / 1_000),
      changes: [
        {
          field: 'phone_number_quality_update',
          value: {
            display_phone_number: demoNumber.displayPhoneNumber,
            event,
            current_limit: 'TIER_10K',
          },
        },
      ],
    },
  ],
});
