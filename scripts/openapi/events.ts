import { campaignStatuses } from '../../src/campaigns/campaign.js';
import { toldStatuses } from '../../src/events/event-types.js';
import { type OpenApiDocument, type Operation, ref, type Schema } from './document-types.js';

const text: Schema = { type: 'string' };
const textOrNull: Schema = { type: ['string', 'null'] };

/** An object with members that are always there, others that may be, and any that are new. */
function object(required: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    ...(Object.keys(required).length > 0 && { required: Object.keys(required) }),
  };
}

const receivedFile: Schema = {
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

const anyObject: Schema = { type: 'object', additionalProperties: true };
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

const constant = (type: string): Schema => ({ type: 'string', const: type });

const receivedMessage: Schema = {
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

const contactSide: Schema = object(
  {
    phone: { ...textOrNull, description: 'E.164; null if it is not known.' },
    user_id: {
      ...textOrNull,
      description: 'The business-scoped user id; null if it is not known.',
    },
  },
  { contact_id: { ...text, format: 'uuid', description: 'Of `merged` only.' } },
);

const alertData = object({
  alert_id: { ...text, format: 'uuid' },
  kind: {
    ...text,
    description: '`number_paused`, `number_quality`, …; expect ones that you do not know.',
  },
  subject: { ...text, description: 'What it is about: `number`, the id of an endpoint, …' },
  message: text,
  details: anyObject,
  raised_at: { ...text, format: 'date-time' },
  resolved_at: { ...textOrNull, format: 'date-time' },
});

/** What `message.received` and `message.standby` hold. */
const receivedData = object({
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

interface EventKind {
  readonly name: string;
  readonly schema: string;
  /** What it means. */
  readonly summary: string;
  readonly data: Schema;
  /** What its `text` says, where it has one. */
  readonly text?: string;
}

const events: readonly EventKind[] = [
  {
    name: 'message.received',
    schema: 'MessageReceivedEvent',
    summary: 'An end user wrote, tapped a button or chose from a list.',
    data: receivedData,
  },
  {
    name: 'message.echo',
    schema: 'MessageEchoEvent',
    summary:
      'The business wrote in the WhatsApp Business app of a number that it uses in both. Only endpoints that name this event get it.',
    data: object({
      message_id: { ...text, description: "WhatsApp's id of the message." },
      from: { ...text, description: 'Your number in E.164 form.' },
      to: {
        ...textOrNull,
        description: 'The end user in E.164 form; null if WhatsApp gives no number.',
      },
      to_user_id: { ...textOrNull, description: "WhatsApp's id of the end user." },
      contact_id: {
        ...textOrNull,
        format: 'uuid',
        description: 'The contact that it is for; null while none is known.',
      },
      sent_at: { ...textOrNull, format: 'date-time', description: "By WhatsApp's clock." },
      change: {
        type: 'string',
        enum: ['sent', 'edited', 'revoked'],
        description: 'Whether it is new, or an earlier one was changed or taken back.',
      },
      original_message_id: {
        ...textOrNull,
        description: "WhatsApp's id of the message that was changed or taken back, or null.",
      },
      message: {
        anyOf: [ref('schemas', 'ReceivedMessage'), { type: 'null' }],
        description: 'What it says, after an edit what it says now; null if it was taken back.',
      },
    }),
  },
  {
    name: 'message.standby',
    schema: 'MessageStandbyEvent',
    summary:
      "An end user wrote while Meta's own agent answers for the number. An answer would take the conversation from it. Only endpoints that name this event get it.",
    data: receivedData,
  },
  {
    name: 'message.status',
    schema: 'MessageStatusEvent',
    summary: 'One of your messages has a new status. You get each status at most once per message.',
    data: object({
      message_id: { ...text, format: 'uuid', description: 'The id of your message.' },
      platform_message_id: {
        ...textOrNull,
        description: "WhatsApp's id of the message; null until it has accepted it.",
      },
      to: {
        ...textOrNull,
        description: 'The recipient in E.164 form; null if you gave a user id alone.',
      },
      to_user_id: { ...textOrNull, description: "The recipient's user id, as you gave it." },
      contact_id: {
        ...textOrNull,
        format: 'uuid',
        description: 'The contact that it is for; null while none is known.',
      },
      reference: {
        ...textOrNull,
        description: 'Your own reference, as it was given when sending.',
      },
      status: { type: 'string', enum: [...toldStatuses] },
      occurred_at: {
        type: 'string',
        format: 'date-time',
        description: "When it happened: WhatsApp's time if it gives one.",
      },
      held: {
        type: 'boolean',
        description:
          '`sent` only: WhatsApp holds the message to assess the quality of its template.',
      },
      error: {
        anyOf: [ref('schemas', 'MessageErrorDto'), { type: 'null' }],
        description: 'Why it failed, or null.',
      },
    }),
  },
  {
    name: 'contact.changed',
    schema: 'ContactChangedEvent',
    summary:
      'A user has another number or another user id, or two contacts are one. Only endpoints that name this event get it.',
    data: object({
      contact_id: { ...text, format: 'uuid', description: 'The contact that stays.' },
      change: {
        type: 'string',
        enum: ['phone', 'user_id', 'merged'],
        description: '`phone` also if the user id has changed with it.',
      },
      previous: contactSide,
      current: contactSide,
    }),
  },
  {
    name: 'contact.consent',
    schema: 'ContactConsentEvent',
    summary: 'A user has opted in or out. Only endpoints that name this event get it.',
    data: object({
      contact_id: { ...text, format: 'uuid' },
      scope: {
        type: 'string',
        enum: ['marketing', 'all'],
        description: '`all`: every template but one-time codes.',
      },
      state: { type: 'string', enum: ['opted_in', 'opted_out'] },
      source: { ...text, description: 'Who said so: `api`, or what the request named.' },
    }),
  },
  {
    name: 'campaign.status',
    schema: 'CampaignStatusEvent',
    summary:
      'A campaign has begun, was paused, resumed, completed or cancelled. Only endpoints that name this event get it.',
    data: object({
      campaign_id: { ...text, format: 'uuid' },
      name: text,
      reference: textOrNull,
      status: { type: 'string', enum: [...campaignStatuses] },
      reason: { type: ['string', 'null'], description: 'Why it is paused.' },
      total: { type: 'integer', description: 'How many recipients it has.' },
    }),
  },
  {
    name: 'alert.raised',
    schema: 'AlertRaisedEvent',
    summary:
      'Something in the account needs attention. Only endpoints with the scope `account` that name this event get it.',
    data: alertData,
    text: 'What has happened and what to do, as chats such as Slack show it.',
  },
  {
    name: 'alert.resolved',
    schema: 'AlertResolvedEvent',
    summary:
      'It needs no attention any more. Only endpoints with the scope `account` that name this event get it.',
    data: alertData,
    text: 'What has ended, as chats such as Slack show it.',
  },
  {
    name: 'webhook.test',
    schema: 'WebhookTestEvent',
    summary: 'A test from the dashboard.',
    data: object({ message: text }),
  },
];

/** A schema for each event, and for what is in them. */
export function eventSchemas(): Record<string, Schema> {
  const named = events.map(
    ({ name, schema, summary, data, text: description }): [string, Schema] => [
      schema,
      {
        ...object({
          event: constant(name),
          timestamp: { type: 'string', format: 'date-time', description: 'ISO 8601 in UTC.' },
          ...(description && { text: { ...text, description } }),
          data,
        }),
        description: summary,
      },
    ],
  );
  return {
    ReceivedFile: receivedFile,
    ReceivedMessage: receivedMessage,
    ...Object.fromEntries(named),
  };
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

const parameters = [
  header('webhook-id', 'The id of the event. It is the same in every attempt to deliver it.'),
  header('webhook-timestamp', 'When this attempt was made, in Unix seconds.'),
  header('webhook-signature', '`v1,` and the signature in base64; two of them during a rotation.'),
];

/** What Parley calls at the webhook of an API key: one POST for each event. */
export function webhooks(): NonNullable<OpenApiDocument['webhooks']> {
  const named = events.map(({ name, schema, summary }): [string, { post: Operation }] => [
    name,
    {
      post: {
        operationId: `on${schema.replace(/Event$/, '')}`,
        summary,
        tags: ['Events'],
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: ref('schemas', schema) } },
        },
        responses: {
          '2XX': { description: 'Received. Anything else within 15 seconds is tried again.' },
          410: { description: 'Switches the webhook off.' },
        },
      },
    },
  ]);
  return Object.fromEntries(named);
}
