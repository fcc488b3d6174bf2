import { randomUUID } from 'node:crypto';
import { hourMs } from '#libs/durations';
import { newAccount, newKey, newUser, password } from '../support/dashboard.js';
import { buttonMessage, listMessage } from '../support/stack.js';

/** What bodies and paths of the dashboard name. */
export interface Named {
  readonly keyId: string;
  readonly templateId: string;
  readonly userId: string;
  readonly accountId: string;
}

const inAnHour = new Date(Date.now() + hourMs).toISOString();

/** Bodies that each send of the external API accepts, by the route as in docs/openapi.json. */
export const sends: Readonly<Record<string, readonly object[]>> = {
  'POST /api/v1/external/messages/interactive/button': [
    buttonMessage({ header: { type: 'text', text: 'Hello' }, footer: 'Parley', reference: 'r' }),
    buttonMessage({ header: { type: 'image', image: { link: 'https://example.com/a.jpg' } } }),
    buttonMessage({ header: { type: 'video', video: { link: 'https://example.com/a.mp4' } } }),
    buttonMessage({
      header: { type: 'document', document: { link: 'https://example.com/a', filename: 'a.pdf' } },
    }),
    buttonMessage({ header: { type: 'document', document: { link: 'https://example.com/a' } } }),
    buttonMessage({
      window: 'ignore',
      fallback: { template_name: 'hello_world', language: 'en_US', components: [] },
    }),
  ],
  'POST /api/v1/external/messages/interactive/list': [
    listMessage({
      header: 'Hello',
      footer: 'Parley',
      reference: 'r',
      sections: [
        { title: 'Today', rows: [{ id: 'noon', title: 'At noon', description: 'Sharp' }] },
        { title: 'Later', rows: [{ id: 'later', title: 'Another day' }] },
      ],
    }),
  ],
  'POST /api/v1/external/messages/text': [
    { to: '+14155550123', body: 'Hello', preview_url: true, reference: 'r', reply_to: 'wamid.X' },
    { to: '+14155550123', body: 'Hello', expires_in_seconds: 600 },
    { to: '+14155550123', body: 'Hello', expires_at: inAnHour },
    { to: '+14155550123', body: 'Hello', send_at: inAnHour, expires_in_seconds: 60 },
  ],
  'POST /api/v1/external/messages/media': [
    { to: '+14155550123', type: 'image', link: 'https://example.com/a.jpg', caption: 'A' },
    { to: '+14155550123', type: 'audio', link: 'https://example.com/a.ogg', voice: true },
    { to: '+14155550123', type: 'document', link: 'https://example.com/a.pdf', filename: 'a.pdf' },
  ],
  'POST /api/v1/external/messages/interactive/cta-url': [
    {
      to: '+14155550123',
      header: { type: 'text', text: 'Your order' },
      body: 'It is on its way.',
      footer: 'Fernhill Market',
      button: { text: 'Track it', url: 'https://example.com/track/1' },
      reply_to: 'wamid.X',
      reference: 'r',
    },
  ],
  'POST /api/v1/external/messages/interactive/location-request': [
    { to: '+14155550123', body: 'Where shall we bring it?', reference: 'r' },
  ],
  'POST /api/v1/external/messages/interactive/contact-request': [
    { to: '+14155550123', body: 'May we call you?', reference: 'r' },
  ],
  'POST /api/v1/external/messages/interactive/flow': [
    {
      to: '+14155550123',
      body: 'Book a visit.',
      flow: {
        id: '1234567890',
        cta: 'Book',
        mode: 'draft',
        action: 'navigate',
        screen: 'WELCOME',
        data: { name: 'Mia' },
      },
    },
    {
      to: '+14155550123',
      body: 'B',
      flow: { name: 'visits', cta: 'Book', action: 'data_exchange' },
    },
  ],
  'POST /api/v1/external/messages/interactive/carousel': [
    {
      to: '+14155550123',
      body: 'New this week',
      cards: [
        {
          header: { type: 'image', image: { link: 'https://example.com/a.jpg' } },
          body: 'Blue',
          button: { text: 'See it', url: 'https://example.com/blue' },
        },
        {
          header: { type: 'video', video: { link: 'https://example.com/b.mp4' } },
          button: { text: 'See it', url: 'https://example.com/red' },
        },
      ],
    },
    {
      to: '+14155550123',
      body: 'New this week',
      cards: ['blue', 'red'].map((id) => ({
        header: { type: 'image', image: { link: `https://example.com/${id}.jpg` } },
        buttons: [
          { id: `buy-${id}`, title: 'Buy' },
          { id: `more-${id}`, title: 'More' },
        ],
      })),
    },
  ],
  'POST /api/v1/external/messages/location': [
    { to: '+14155550123', latitude: 51.5, longitude: -0.1, name: 'Shop', address: '1 High Street' },
  ],
  'POST /api/v1/external/messages/contacts': [
    {
      to: '+14155550123',
      contacts: [
        {
          name: { formatted_name: 'Mia Jung', first_name: 'Mia', last_name: 'Jung' },
          birthday: '1999-01-23',
          org: { company: 'Fernhill Market', department: 'Shop', title: 'Manager' },
          phones: [{ phone: '+44 7700 900142', type: 'WORK', wa_id: '447700900142' }],
          emails: [{ email: 'mia@example.com', type: 'WORK' }],
          urls: [{ url: 'https://example.com', type: 'WORK' }],
          addresses: [{ street: '1 High Street', city: 'Fernhill', country_code: 'GB' }],
        },
      ],
    },
  ],
  'POST /api/v1/external/messages/reaction': [
    { to: '+14155550123', message_id: 'wamid.X', emoji: '\u{1F44D}' },
    { to: '+14155550123', message_id: 'wamid.X', remove: true, reference: 'r' },
  ],
  'POST /api/v1/external/messages/template/send': [
    {
      to: '+14155550123',
      template_name: 'appointment_reminder',
      language: 'en_US',
      variables: { name: 'Jessica', day: '4 May', hour: '10:30' },
      reference: 'r',
    },
  ],
  'POST /api/v1/external/messages/template': [
    { to: '+14155550123', template_name: 'hello_world', language: 'en_US' },
    {
      to: '+14155550123',
      template_name: 'order_confirmation',
      language: 'en_US',
      components: [
        {
          type: 'body',
          parameters: ['Jessica', 'A-1', 'Friday'].map((text) => ({ type: 'text', text })),
        },
        {
          type: 'button',
          sub_type: 'url',
          index: '0',
          parameters: [{ type: 'text', text: 'A-1' }],
        },
      ],
    },
  ],
};

const newEndpoints: readonly object[] = [
  { url: 'https://example.com/hook' },
  {
    url: 'https://example.com/orders',
    name: 'Orders',
    events: ['message.received', 'message.status'],
    statuses: ['failed', 'read'],
    message_types: ['text', 'button'],
    scope: 'account',
    max_in_flight: 4,
  },
  {
    url: 'https://example.com/inbox',
    format: 'whatsapp',
    fields: ['messages'],
    secret: 'a-secret-of-theirs',
  },
];

const recovery = () => ({ since: new Date(Date.now() - 60_000).toISOString() });

/** Bodies that the other routes of the external API accept. */
export const otherBodies: Readonly<Record<string, readonly object[]>> = {
  'POST /api/v1/external/campaigns': [
    {
      name: 'Spring',
      template_name: 'appointment_reminder',
      language: 'en_US',
      send_at: inAnHour,
      per_second: 10,
      message_events: 'failed',
      pause_on: { failure_rate: 0.5 },
      reference: 'r',
    },
  ],
  'POST /api/v1/external/campaigns/{id}/recipients': [
    { recipients: [{ to: '+14155550123', variables: { name: 'Maria', day: '1 May' } }] },
  ],
  'POST /api/v1/external/campaigns/{id}/retry': [
    { codes: [131026], reasons: ['unreachable'] },
    { codes: null, reasons: null, who: 'rest' },
    { codes: [131026], who: 'failed_and_rest' },
  ],
  'POST /api/v1/external/webhooks': [...newEndpoints],
  'PATCH /api/v1/external/webhooks/{id}': [
    { url: 'https://example.com/other', name: 'Other' },
    { events: null, statuses: null, message_types: null, scope: null, max_in_flight: null },
  ],
  'POST /api/v1/external/webhooks/{id}/recover': [recovery()],
  'POST /api/v1/external/webhooks/{id}/rotate-secret': [{ secret: null }, {}],
  'POST /api/v1/external/messages/read': [
    { message_id: 'wamid.X' },
    { message_id: 'wamid.X', typing: true },
  ],
  'PATCH /api/v1/external/messages/{uuid}': [{ send_at: inAnHour }],
  'PUT /api/v1/external/contacts/consent': [
    { phone: '+14155550123', scope: 'marketing', state: 'opted_out' },
    { user_id: 'US.1', scope: 'all', state: 'opted_in', source: 'shop', evidence: 'form 7' },
  ],
  'POST /api/v1/external/contacts/consent/import': [
    { items: [{ phone: '+14155550123', scope: 'marketing', state: 'opted_out' }] },
  ],
};

/** The mapping under which `template/send` above is valid. */
export const mapping = {
  variables: {
    name: { component: 'body', parameter_name: 'first_name', required: true },
    day: { component: 'body', parameter_name: 'date', required: true },
    hour: { component: 'body', parameter_name: 'time', required: false, default: '10:00' },
  },
};

const key = '/api/v1/dashboard/api-keys/{id}';
const fullKey = () =>
  newKey({
    description: 'A key',
    rate_limit_per_minute: 60,
    daily_limit: 1_000,
    expires_at: '2030-01-31T12:00:00Z',
    allowed_ips: ['203.0.113.7', '2001:db8::/32'],
    active: true,
    require_signature: false,
    webhook_url: 'https://example.com/hook',
    webhook_events: ['message.received'],
  });

/** Bodies that each route of the dashboard accepts, likewise. */
export function dashboardBodies({
  keyId,
  accountId,
}: Named): Readonly<Record<string, readonly object[]>> {
  return {
    'POST /api/v1/dashboard/session': [
      { email: 'nobody@parley.test', password },
      { email: 'nobody@parley.test', password, totp: '123456', recovery_code: 'abcd-efgh' },
    ],
    'POST /api/v1/dashboard/me/totp': [{ current_password: 'not the password' }],
    'POST /api/v1/dashboard/me/totp/confirm': [{ totp: '123456' }],
    'DELETE /api/v1/dashboard/me/totp': [{ current_password: 'not the password' }],
    'POST /api/v1/dashboard/password-reset': [{ token: 'no-such-token', new_password: password }],
    'POST /api/v1/dashboard/session/password': [
      { current_password: 'not the password', new_password: password },
    ],
    'POST /api/v1/dashboard/api-keys': [{ ...fullKey(), mode: 'live', account_id: accountId }],
    [`PATCH ${key}`]: [{ description: 'changed' }, { allowed_ips: null, active: true }, fullKey()],
    [`POST ${key}/suspend`]: [{ reason: 'abuse' }],
    [`POST ${key}/keep-bodies`]: [{ minutes: 60 }],
    [`POST ${key}/rotate`]: [{ overlap_seconds: 60 }, {}],
    [`POST ${key}/end-overlap`]: [{ only: 'key' }, {}],
    [`POST ${key}/signing-secret/rotate`]: [{ overlap_seconds: 60 }, {}],
    [`POST ${key}/webhook/rotate-secret`]: [{ overlap_seconds: 60 }, {}],
    [`POST ${key}/webhook/recover`]: [recovery()],
    [`POST ${key}/webhooks`]: newEndpoints,
    [`PATCH ${key}/webhooks/{endpoint_id}`]: [
      { url: 'https://example.com/other' },
      { events: null },
    ],
    [`POST ${key}/webhooks/{endpoint_id}/recover`]: [recovery()],
    [`POST ${key}/webhooks/{endpoint_id}/rotate-secret`]: [{ secret: null }, {}],
    [`PUT ${key}/template-mappings/{template_id}`]: [mapping],
    'POST /api/v1/dashboard/simulator/messages/{wamid}/reply': [
      { button_id: 'yes' },
      { row_id: 'noon' },
      { text: 'Hello' },
      { flow: { guests: 2, wish: null } },
      { location: { latitude: 52.5, longitude: 13.4, name: 'Berlin', address: null } },
      { contact: { name: 'Mia Wong', phone: '+14155550124' } },
      { reaction: '👍' },
      { reaction: '' },
    ],
    'POST /api/v1/dashboard/simulator/inbound': [
      { from: '+14155550123', text: 'Hello' },
      { from: '+14155550123', location: { latitude: 52.5, longitude: 13.4 } },
      { from: '+14155550123', contact: { name: 'Mia Wong' } },
      { from: '+14155550123', voice: true },
      { from: '+14155550123', image: true },
      { from: '+14155550123', edit: { original_message_id: 'wamid.A', text: 'Hello' } },
      { from: '+14155550123', revoke: { original_message_id: 'wamid.A' } },
      {
        from: '+14155550123',
        text: 'Hello',
        referral: { source_url: 'https://fb.me/1', headline: 'Fresh bread', body: null },
      },
    ],
    'POST /api/v1/dashboard/simulator/echoes': [
      { to: '+14155550123', text: 'Hello' },
      { to: '+14155550123', edit: { original_message_id: 'wamid.A', text: 'Hello' } },
      { to: '+14155550123', revoke: { original_message_id: 'wamid.A' } },
    ],
    'PUT /api/v1/dashboard/simulator/number': [{ standby: true }, { standby: false }],
    'PUT /api/v1/dashboard/simulator/user': [
      { phone: '+14155550123', username: '@mia', hides_phone: true },
      { phone: '+14155550123', username: null, hides_phone: false },
      { phone: '+14155550123', stopped_marketing: true, enforces_window: true },
      { phone: '+14155550123', stopped_marketing: false, enforces_window: false },
      { phone: '+14155550123', signed_up: true },
    ],
    'POST /api/v1/dashboard/simulator/user/new-id': [{ phone: '+14155550123' }],
    'PUT /api/v1/dashboard/contacts/{id}/consent': [
      { scope: 'marketing', state: 'opted_out', evidence: 'by phone' },
      { scope: 'all', state: 'opted_in' },
    ],
    'POST /api/v1/dashboard/contacts/consent/import':
      otherBodies['POST /api/v1/external/contacts/consent/import'] ?? [],
    'POST /api/v1/dashboard/campaigns': (otherBodies['POST /api/v1/external/campaigns'] ?? []).map(
      (body) => ({ ...body, api_key_id: keyId }),
    ),
    'PATCH /api/v1/dashboard/campaigns/{id}': [
      { name: 'Summer', send_at: inAnHour, per_second: 5, message_events: 'none' },
      { send_at: null, per_second: null, pause_on: null },
    ],
    'POST /api/v1/dashboard/jobs': [
      { kind: 'cancel', filter: { reference: 'nothing has this' } },
      {
        kind: 'resend',
        filter: { status: 'failed', to: '+14155550123' },
        account_id: null,
        without_codes: [131026],
      },
    ],
    'POST /api/v1/dashboard/jobs/preview': [
      { kind: 'redeliver', filter: { status: 'failed' }, without_succeeded: true },
      { kind: 'cancel', filter: { reference: 'nothing has this' } },
    ],
    'POST /api/v1/dashboard/campaigns/{id}/retry':
      otherBodies['POST /api/v1/external/campaigns/{id}/retry'] ?? [],
    'POST /api/v1/dashboard/campaigns/{id}/recipients':
      otherBodies['POST /api/v1/external/campaigns/{id}/recipients'] ?? [],
    'POST /api/v1/dashboard/playground': [
      { api_key_id: keyId, type: 'button', payload: buttonMessage() },
      { api_key_id: keyId, type: 'list', payload: listMessage(), mode: 'simulate' },
    ],
    'POST /api/v1/dashboard/accounts': [newAccount({ active: true })],
    'PATCH /api/v1/dashboard/accounts/{id}': [
      { name: 'changed', display_phone_number: '+1 555 078 3999' },
      { keywords: { out: ['stop'], in: [] }, keyword_scope: 'all' },
      { limits: { keys: null, endpoints: 1_000_000, rate_limit_per_minute: null } },
      { keywords: null },
    ],
    'POST /api/v1/dashboard/accounts/{id}/register': [{ pin: '123456' }],
    'POST /api/v1/dashboard/templates/sync': [{ account_id: accountId }, {}],
    'POST /api/v1/dashboard/users': [
      newUser({
        email: `${randomUUID()}@parley.test`,
        role: 'administrator',
        account_id: accountId,
      }),
    ],
    'PATCH /api/v1/dashboard/alerts/{id}': [{ muted_until: inAnHour }, { owner_id: null }],
    'PATCH /api/v1/dashboard/users/{id}': [{ role: 'operator' }, { active: true }],
    'POST /api/v1/dashboard/users/{id}/reset-link': [{}, { current_password: 'not the password' }],
  };
}

const anyId = '01a1fe28-8c51-7333-94e3-3a4f233ab691';

/** Each of these bodies with its route; the things that they name need not exist. */
export const everyBody: readonly (readonly [route: string, body: object])[] = Object.entries({
  ...sends,
  ...otherBodies,
  ...dashboardBodies({ keyId: anyId, templateId: anyId, userId: anyId, accountId: anyId }),
}).flatMap(([route, bodies]) => bodies.map((body): [string, object] => [route, body]));
