import { type MessageKind, to } from './message-kind.ts';
import { type Payload, textAt, valueAt } from './payloads.ts';

const text: MessageKind = {
  path: 'text',
  fields: ['body', 'preview_url'],
  sample: {
    to,
    body: 'Thanks, we have informed the driver. You can follow the van here: https://example.com/van/58213',
    preview_url: true,
    reference: 'ticket-7741',
  },
  shape: ({ body, preview_url }) => ({ type: 'text', text: { body, preview_url } }),
  read: (sent) => ({
    body: valueAt(sent, ['text', 'body']),
    preview_url: valueAt(sent, ['text', 'preview_url']),
  }),
};

const media: MessageKind = {
  path: 'media',
  fields: ['type', 'link', 'media_id', 'filename', 'caption', 'voice'],
  sample: {
    to,
    type: 'document',
    link: 'https://example.com/invoices/58199.pdf',
    filename: 'invoice-58199.pdf',
    caption: 'Your invoice for order #58199.',
    reference: 'invoice-58199',
  },
  shape: (payload) => {
    const kind = textAt(payload, ['type']) || 'image';
    const { link, media_id, caption, filename, voice } = payload;
    return { type: kind, [kind]: { link, media_id, caption, filename, voice } };
  },
  read: (sent) => {
    const type = textAt(sent, ['type']);
    return { type, ...(sent[type] as Payload | undefined) };
  },
};

const location: MessageKind = {
  path: 'location',
  fields: ['latitude', 'longitude', 'name', 'address'],
  sample: {
    to,
    latitude: 51.5072,
    longitude: -0.1276,
    name: 'Fernhill Market',
    address: '1 High Street, London',
    reference: 'order-58213',
  },
  shape: ({ latitude, longitude, name, address }) => ({
    type: 'location',
    location: { latitude, longitude, name, address },
  }),
  read: ({ location: place }) => place as Payload,
};

const contacts: MessageKind = {
  path: 'contacts',
  fields: ['contacts'],
  sample: {
    to,
    contacts: [
      {
        name: { formatted_name: 'Mia Jung', first_name: 'Mia', last_name: 'Jung' },
        org: { company: 'Fernhill Market' },
        phones: [{ phone: '+44 7700 900142', type: 'WORK', wa_id: '447700900142' }],
        emails: [{ email: 'mia@example.com', type: 'WORK' }],
      },
    ],
    reference: 'ticket-7741',
  },
  shape: ({ contacts: cards }) => ({ type: 'contacts', contacts: cards }),
  read: ({ contacts: cards }) => ({ contacts: cards }),
};

const reaction: MessageKind = {
  path: 'reaction',
  fields: ['message_id', 'emoji', 'remove'],
  sample: {
    to,
    message_id: 'wamid.HBgLMTQxNTU1NTAxMjMVAgASGBQzQUY4',
    emoji: '👍',
    reference: 'ticket-7741',
  },
  shape: ({ message_id, emoji }) => ({
    type: 'reaction',
    reaction: { message_id, emoji: emoji ?? '' },
  }),
  read: (sent) => {
    const emoji = textAt(sent, ['reaction', 'emoji']);
    return {
      message_id: valueAt(sent, ['reaction', 'message_id']),
      ...(emoji === '' ? { remove: true } : { emoji }),
    };
  },
};

/** What users read, see and hear. */
export const directKinds = { text, media, location, contacts, reaction };
