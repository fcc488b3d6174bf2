import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../../src/config/checkout.js';
import type { OpenApiDocument, Operation, Schema } from './document-types.js';

/** A body that an operation takes, with the name of what it shows. */
export type Examples = Readonly<Record<string, object>>;

/** Ids in examples. The test that sends them puts those of the installation in their place. */
export const exampleIds = {
  media: '019ac0f4-2b1e-7c51-9d0e-4f1f6c1b7a01',
  message: '019ac0f4-2b1e-7c51-9d0e-4f1f6c1b7a02',
  received: 'wamid.HBgLMTQxNTU1NTAxMjMVAgASGBQzQTdCNUUyRDRDNkY4QTkwMTIzNAA=',
  campaign: '019ac0f4-2b1e-7c51-9d0e-4f1f6c1b7a03',
  contact: '019ac0f4-2b1e-7c51-9d0e-4f1f6c1b7a04',
  webhook: '019ac0f4-2b1e-7c51-9d0e-4f1f6c1b7a05',
  receiver: 'https://example.com/webhooks/parley',
  sendAt: '2026-12-24T09:00:00+01:00',
} as const;

const to = '+14155550123';
const picture = 'https://example.com/parcel.jpg';

/** Bodies by operation, each of them complete. A test sends every one to an installation. */
export const requestExamples: Readonly<Record<string, Examples>> = {
  sendTextMessage: {
    'A text': { to, body: 'Your parcel arrives today.', reference: 'order-104' },
    'To a user who hides the number': {
      to_user_id: 'US.13491208655302741918',
      body: 'Your parcel arrives today.',
    },
    'For later': { to, body: 'Good morning!', send_at: exampleIds.sendAt },
    'With a template if the window is closed': {
      to,
      body: 'Your parcel arrives today.',
      window: 'require_open',
      fallback: {
        template_name: 'order_confirmation',
        language: 'en_US',
        variables: { name: 'Mia', order: '104', day: 'Friday', path: '104' },
      },
    },
  },
  sendButtonMessage: {
    'Two buttons': {
      to,
      body: 'Your parcel arrives today. Will you be at home?',
      buttons: [
        { id: 'yes', title: 'Yes' },
        { id: 'no', title: 'No' },
      ],
      reference: 'order-104',
    },
    'With a picture': {
      to,
      header: { type: 'image', image: { link: picture } },
      body: 'Is this your parcel?',
      footer: 'Fernhill Market',
      buttons: [{ id: 'yes', title: 'Yes' }],
    },
  },
  sendListMessage: {
    'A list': {
      to,
      header: 'Your delivery',
      body: 'When shall we come?',
      button: 'Choose a time',
      sections: [
        {
          title: 'Today',
          rows: [
            { id: 'noon', title: 'At noon' },
            { id: 'evening', title: 'In the evening', description: 'Until 21:00' },
          ],
        },
        { title: 'Tomorrow', rows: [{ id: 'tomorrow', title: 'Any time' }] },
      ],
    },
  },
  sendCtaUrlMessage: {
    'A link': {
      to,
      body: 'Follow your parcel.',
      button: { text: 'Track order', url: 'https://example.com/orders/104' },
    },
  },
  sendFlowMessage: {
    'A flow': {
      to,
      body: 'Book a visit.',
      flow: {
        id: '1234567890123456',
        cta: 'Book',
        action: 'navigate',
        screen: 'WELCOME',
        data: { name: 'Mia' },
      },
    },
  },
  sendCarouselMessage: {
    'Two cards': {
      to,
      body: 'New this week',
      cards: ['blue', 'red'].map((color) => ({
        header: { type: 'image', image: { link: `https://example.com/${color}.jpg` } },
        body: `The ${color} one`,
        button: { text: 'See it', url: `https://example.com/${color}` },
      })),
    },
  },
  sendLocationRequestMessage: { 'A question': { to, body: 'Where shall we bring it?' } },
  sendContactRequestMessage: { 'A question': { to, body: 'May we call you?' } },
  sendMediaMessage: {
    'A picture by its address': { to, type: 'image', link: picture, caption: 'Your parcel' },
    'An upload': {
      to,
      type: 'document',
      media_id: exampleIds.media,
      filename: 'invoice-104.pdf',
    },
  },
  sendLocationMessage: {
    'A place': {
      to,
      latitude: 51.5074,
      longitude: -0.1278,
      name: 'Fernhill Market',
      address: '1 High Street, London',
    },
  },
  sendContactsMessage: {
    'A card': {
      to,
      contacts: [
        {
          name: { formatted_name: 'Mia Jung', first_name: 'Mia', last_name: 'Jung' },
          org: { company: 'Fernhill Market', title: 'Manager' },
          phones: [{ phone: '+44 7700 900142', type: 'WORK', wa_id: '447700900142' }],
          emails: [{ email: 'mia@example.com', type: 'WORK' }],
        },
      ],
    },
  },
  sendReactionMessage: {
    'A reaction': { to, message_id: exampleIds.received, emoji: '👍' },
    'Taken back': { to, message_id: exampleIds.received, remove: true },
  },
  markMessageRead: {
    Read: { message_id: exampleIds.received },
    'Read, and you are writing': { message_id: exampleIds.received, typing: true },
  },
  sendTemplate: {
    'Variables by name': {
      to,
      template_name: 'order_confirmation',
      language: 'en_US',
      variables: { name: 'Mia', order: '104', day: 'Friday', path: '104' },
      reference: 'order-104',
    },
  },
  sendTemplateWithComponents: {
    'Components of WhatsApp': {
      to,
      template_name: 'order_confirmation',
      language: 'en_US',
      components: [
        {
          type: 'body',
          parameters: ['Mia', '104', 'Friday'].map((text) => ({ type: 'text', text })),
        },
        {
          type: 'button',
          sub_type: 'url',
          index: '0',
          parameters: [{ type: 'text', text: '104' }],
        },
      ],
    },
  },
  updateMessage: { 'Another time': { send_at: exampleIds.sendAt } },
  createWebhook: {
    'Answers and statuses': { url: exampleIds.receiver, name: 'Shop' },
    'Failed messages alone': {
      url: exampleIds.receiver,
      events: ['message.status'],
      statuses: ['failed', 'unconfirmed'],
    },
    "In WhatsApp's own form": {
      url: exampleIds.receiver,
      format: 'whatsapp',
      fields: ['messages'],
    },
  },
  updateWebhook: { 'At most ten at once': { max_in_flight: 10 } },
  rotateWebhookSecret: { 'A new secret': {} },
  recoverWebhook: { 'Since a time': { since: '2026-11-27T06:00:00Z' } },
  createCampaign: {
    'A campaign': {
      name: 'Order news',
      template_name: 'order_confirmation',
      language: 'en_US',
      per_second: 20,
      pause_on: { failure_rate: 0.2 },
    },
  },
  addCampaignRecipients: {
    'Two recipients': {
      recipients: [
        { to, variables: { name: 'Mia', order: '104', day: 'Friday', path: '104' } },
        {
          to: '+447700900142',
          variables: { name: 'Noah', order: '105', day: 'Monday', path: '105' },
          reference: 'order-105',
        },
      ],
    },
  },
  retryCampaign: {
    'Those who failed with a code': { codes: [131026] },
    'The rest of a cancelled one': { who: 'rest' },
  },
  setConsent: {
    'An opt-out': { phone: to, scope: 'marketing', state: 'opted_out', source: 'preferences' },
    'An opt-in': {
      phone: to,
      scope: 'marketing',
      state: 'opted_in',
      source: 'checkout',
      evidence: 'https://example.com/checkout/104',
    },
  },
  importConsent: {
    'Two of them': {
      items: [
        { phone: to, scope: 'marketing', state: 'opted_in', source: 'import' },
        { phone: '+447700900142', scope: 'all', state: 'opted_out', source: 'import' },
      ],
    },
  },
};

/** Values of parameters by their names, where a name means the same everywhere. */
const parameterExamples: Readonly<Record<string, string>> = {
  to,
  phone: to,
  user_id: 'US.13491208655302741918',
  uuid: exampleIds.message,
};

/** By the first part of a path with `{id}`. */
const idsByPart: Readonly<Record<string, string>> = {
  campaigns: exampleIds.campaign,
  contacts: exampleIds.contact,
  webhooks: exampleIds.webhook,
  media: exampleIds.media,
};

interface RecordedExamples {
  /** Answers by operation. */
  readonly answers: Readonly<Record<string, object>>;
  /** Bodies by event. */
  readonly events: Readonly<Record<string, object>>;
}

/** What an installation answered to the examples: `UPDATE_EXAMPLES=1 npm test -- test/e2e/openapi-examples` writes it. */
export const recordedPath = join(checkout, 'scripts/openapi/recorded-examples.json');

/** Puts examples into bodies, parameters, answers and events, so that tools need not invent them. */
export function addExamples(document: OpenApiDocument): void {
  const { answers, events } = JSON.parse(readFileSync(recordedPath, 'utf8')) as RecordedExamples;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) {
      addToBody(operation);
      addToParameters(operation, path);
      const answer = answers[operation.operationId];
      const success = operation.responses['200'];
      const json =
        success && 'content' in success ? success.content?.['application/json'] : undefined;
      if (answer && json) json.example = answer;
    }
  }
  for (const [name, { post }] of Object.entries(document.webhooks ?? {})) {
    const json = post.requestBody?.content?.['application/json'];
    if (json && events[name]) json.example = events[name];
  }
}

function addToBody({ operationId, requestBody }: Operation): void {
  const json = requestBody?.content?.['application/json'];
  const examples = requestExamples[operationId];
  if (!json || !examples) return;
  json.examples = Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [keyOf(summary), { summary, value }]),
  );
}

/** A name that every tool takes: `a_picture_by_its_address`. */
const keyOf = (summary: string) => summary.toLowerCase().replaceAll(/[^a-z]+/g, '_');

function addToParameters({ parameters = [] }: Operation, path: string): void {
  const [, part = ''] = /^\/api\/v1\/external\/([a-z]+)/.exec(path) ?? [];
  for (const parameter of parameters) {
    const { name = '', in: place } = parameter;
    const example = place === 'path' && name === 'id' ? idsByPart[part] : parameterExamples[name];
    if (example !== undefined && place !== 'header' && takesText(parameter.schema)) {
      parameter.example = example;
    }
  }
}

const takesText = (schema: Schema | undefined) => schema?.type === 'string';
