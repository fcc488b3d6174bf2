import { ref, type Schema } from './document-types.js';
import { anyObject, constant, object, text, textOrNull } from './schemas.js';

export const receivedFile: Schema = {
  ...object(
    {
      id: { ...text, description: "WhatsApp's id of the file." },
      url: { ...text, description: 'Where you fetch the file from Parley, with your API key.' },
    },
    {
      mime_type: text,
      sha256: text,
      caption: text,
      filename: { ...text, description: 'Of documents.' },
      voice: { type: 'boolean', description: 'Of audio: whether it was recorded in the chat.' },
      animated: { type: 'boolean', description: 'Of stickers.' },
    },
  ),
  description: 'A file that an end user sent.',
};

const objects: Schema = { type: 'array', items: anyObject };

/** The objects next to `type` that we write ourselves, or that WhatsApp always sends. */
const contentByType: Readonly<Record<string, Schema>> = {
  text: object({ text: object({ body: text }) }),
  ...Object.fromEntries(
    ['image', 'video', 'audio', 'document', 'sticker'].map((type) => [
      type,
      object({ [type]: ref('schemas', 'ReceivedFile') }),
    ]),
  ),
  location: object({
    location: object(
      { latitude: { type: 'number' }, longitude: { type: 'number' } },
      { name: text, address: text, url: text },
    ),
  }),
  contacts: object({ contacts: objects }),
  reaction: object({
    reaction: object(
      { message_id: text },
      { emoji: { ...text, description: 'Empty or absent if the reaction was removed.' } },
    ),
  }),
  order: object({ order: object({}, { catalog_id: text, text, product_items: objects }) }),
  edit: object({
    edit: object(
      {
        original_message_id: {
          ...text,
          description: "WhatsApp's id of the message that the user changed.",
        },
      },
      { message: { ...anyObject, description: 'What it says now; files have `url`.' } },
    ),
  }),
  revoke: object({
    revoke: object({
      original_message_id: {
        ...text,
        description: "WhatsApp's id of the message that the user took back.",
      },
    }),
  }),
  system: object({ system: anyObject }),
  unsupported: object({}, { errors: objects }),
  unknown: object({}, { errors: objects }),
};

const button: Schema = object({
  button: object({
    text: { ...text, description: 'The title of the button.' },
    payload: { ...text, description: 'The `id` of the button.' },
  }),
});

const listReply: Schema = object({
  interactive: object({
    type: { const: 'list_reply' },
    list_reply: object({
      id: { ...text, description: 'The `id` of the row.' },
      title: { ...text, description: 'The title of the row.' },
    }),
  }),
});

const flowReply: Schema = object({
  flow_reply: object(
    {
      response: {
        description:
          'What the user filled in, parsed; null if it is no JSON. Anything that JSON can hold.',
      },
    },
    {
      name: { ...text, description: '`flow`, or what else was filled in.' },
      response_json: { ...text, description: 'The same as WhatsApp sent it.' },
    },
  ),
});

const otherInteractive: Schema = object(
  {},
  { interactive: object({}, { type: { type: 'string', not: { const: 'list_reply' } } }) },
);

function variant(type: Schema, title: string, content: Schema): Schema {
  return {
    ...content,
    title,
    properties: { type, ...content.properties },
    required: ['type', ...(content.required ?? [])],
  };
}

export const receivedMessage: Schema = {
  description: 'What an end user sent: `type`, and an object of that name.',
  anyOf: [
    variant(constant('button'), 'Tap on a reply button', button),
    variant(constant('interactive'), 'Choice from a list', listReply),
    variant(constant('flow_reply'), 'Filled flow', flowReply),
    variant(
      constant('interactive'),
      'Other interactive reply, as WhatsApp sends it',
      otherInteractive,
    ),
    ...Object.entries(contentByType).map(([type, content]) =>
      variant(constant(type), `Message of the type ${type}`, content),
    ),
    variant(
      {
        type: 'string',
        not: { enum: ['button', 'interactive', 'flow_reply', ...Object.keys(contentByType)] },
      },
      'Any other type, as WhatsApp sends it',
      object({}),
    ),
  ],
};

const referredProduct: Schema = {
  ...object({
    catalog_id: { ...textOrNull, description: "WhatsApp's id of the catalogue." },
    product_retailer_id: { ...textOrNull, description: 'Your own id of the product.' },
  }),
  type: ['object', 'null'],
  description: 'The product of a catalogue that the message asks about, or null.',
};

const replyContext: Schema = {
  ...object({
    message_id: { ...textOrNull, description: 'The id of your message; null if it is not yours.' },
    platform_message_id: { ...text, description: "WhatsApp's id of that message." },
    reference: { ...textOrNull, description: 'Your own reference, as it was given when sending.' },
  }),
  type: ['object', 'null'],
  description: 'The message that it answers, or null.',
};

/** What `message.received` and `message.standby` hold. */
export const receivedData = object({
  message_id: { ...text, description: "WhatsApp's id of the message." },
  from: {
    ...textOrNull,
    description: 'The end user in E.164 form; null if WhatsApp gives no number.',
  },
  to: { ...text, description: 'Your number in E.164 form.' },
  from_user_id: { ...textOrNull, description: "WhatsApp's id of the end user." },
  from_parent_user_id: {
    ...textOrNull,
    description: "WhatsApp's id of the end user for all businesses of your portfolio.",
  },
  from_name: { ...textOrNull, description: 'The name in the profile of the end user.' },
  from_username: { ...textOrNull, description: 'Their username, if they have one.' },
  contact_id: { ...textOrNull, format: 'uuid', description: 'The contact who wrote.' },
  sent_at: {
    ...textOrNull,
    format: 'date-time',
    description: "When the user sent it, by WhatsApp's clock; null if WhatsApp gives no time.",
  },
  message: ref('schemas', 'ReceivedMessage'),
  forwarded: {
    type: 'boolean',
    description: 'Whether the user passed on what somebody else had written.',
  },
  frequently_forwarded: {
    type: 'boolean',
    description: 'Whether it has been passed on more than five times.',
  },
  referred_product: referredProduct,
  context: replyContext,
});
