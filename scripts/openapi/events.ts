import { campaignStatuses } from '../../src/campaigns/campaign.js';
import { toldStatuses } from '../../src/events/event-types.js';
import { type OpenApiDocument, type Operation, ref, type Schema } from './document-types.js';
import { receivedData, receivedFile, receivedMessage } from './received-messages.js';
import { anyObject, constant, object, text, textOrNull } from './schemas.js';

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
