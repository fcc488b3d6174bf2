import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseNotification } from './notifications.js';
import { isSignedWith, parseSignature } from './signature.js';

const fixtures = join(process.cwd(), 'libs/whatsapp/fixtures');
const fixture = (name: string): any =>
  JSON.parse(readFileSync(join(fixtures, `${name}.json`), 'utf8'));
const webhooks = ['meta', 'pywa', 'restfb']
  .flatMap((folder) => readdirSync(join(fixtures, folder)).map((file) => `${folder}/${file}`))
  .map((file) => file.replace('.json', ''))
  .filter((file) => fixture(file).entry);

const envelope = (value: unknown, field = 'messages', time?: number) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: 'waba', time, changes: [{ field, value }] }],
});
const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' };

const keysOf = (body: unknown) => parseNotification(body).map(({ dedupeKey }) => dedupeKey);
const update = (event: string, time: number) =>
  keysOf(envelope({ event }, 'account_update', time))[0];
const message = (fields: object, contacts?: unknown) =>
  parseNotification(envelope({ metadata, contacts, messages: [{ id: 'w', ...fields }] }))[0];

describe('a recorded notification', () => {
  it.each<[string, Record<string, unknown>]>([
    [
      'pywa/account_update__account_restriction',
      {
        kind: 'account_update',
        event: 'ACCOUNT_RESTRICTION',
        businessAccountId: '102290129340398',
        phoneNumberId: null,
        occurredAt: new Date('2022-01-04T21:08:18Z'),
      },
    ],
    [
      'pywa/callback_button__quick_reply_without_context',
      { kind: 'message', type: 'button', from: '972987654321', contextMessageId: null },
    ],
    [
      'pywa/message__unsupported',
      { kind: 'message', type: 'unsupported', errors: [expect.objectContaining({ code: 131051 })] },
    ],
    [
      'pywa/message_status__failed',
      {
        kind: 'status',
        status: 'failed',
        platformMessageId: 'wamid.xyzxyz',
        phoneNumberId: '1122334455667',
        dedupeKey: 'status:wamid.xyzxyz:failed:130472:',
        errors: [
          expect.objectContaining({ details: expect.stringContaining('part of an experiment') }),
        ],
      },
    ],
    ['pywa/message_status__played', { kind: 'status', status: 'played' }],
    [
      'pywa/message_status__read',
      { kind: 'status', status: 'read', pricing: expect.objectContaining({ billable: true }) },
    ],
    [
      'pywa/message_status__with_tracker',
      {
        kind: 'status',
        status: 'sent',
        callbackData: 'some data',
        recipientId: '972987654321',
        occurredAt: new Date('2023-10-25T20:49:05Z'),
        conversation: expect.objectContaining({ expiration_timestamp: '1698339900' }),
      },
    ],
    ['pywa/system__identity_change', { kind: 'message', type: 'system', fromName: 'User A' }],
    [
      'pywa/template_status_update__rejected',
      {
        kind: 'template_status',
        value: 'REJECTED',
        templateId: '1689556908129835',
        templateName: 'abandoned_cart',
        templateLanguage: 'en',
        reason: 'INVALID_FORMAT',
      },
    ],
    [
      'pywa/user_marketing_preferences__resume',
      {
        kind: 'user_preference',
        from: '16505551234',
        fromUserId: 'US.13491208655302741918',
        category: 'marketing_messages',
        value: 'resume',
      },
    ],
    [
      'restfb/webhook-incoming-message-error',
      {
        kind: 'message',
        type: 'unknown',
        errors: [expect.objectContaining({ details: 'Message type is not currently supported' })],
      },
    ],
    [
      'restfb/webhook-incoming-message-status-bsuid',
      { kind: 'status', recipientId: null, recipientUserId: 'US.13491208655302741918' },
    ],
    [
      'restfb/webhook-incoming-message-status-errors',
      { kind: 'status', status: 'failed', errors: [expect.objectContaining({ code: 131026 })] },
    ],
    [
      'restfb/webhook-incoming-message-system-bsuid',
      { kind: 'message', type: 'system', from: null, fromUserId: null, fromName: null },
    ],
    ['restfb/webhook-incoming-message-system', { kind: 'message', type: 'system' }],
    [
      'restfb/webhook-incoming-message-text-bsuid',
      {
        kind: 'message',
        type: 'text',
        from: null,
        fromUserId: 'US.13491208655302741918',
        fromName: 'Sheena Nelson',
        groupId: '120363418770915618@g.us',
      },
    ],
    [
      'restfb/webhook-messageTemplateStatusUpdate-disabling',
      { kind: 'template_status', value: 'FLAGGED', reason: null },
    ],
    [
      'restfb/webhook-phoneNumberQualityUpdate',
      { kind: 'phone_number_quality', event: 'FLAGGED', displayPhoneNumber: '16505551111' },
    ],
    ['restfb/webhook-userIdUpdate', { kind: 'other', field: 'user_id_update' }],
  ])('%s is read', (name, expected) => {
    const events = parseNotification(fixture(name));
    expect(events).toEqual([expect.objectContaining(expected)]);
  });

  it('with an empty interactive message yields the message and its error', () => {
    const events = parseNotification(fixture('pywa/message__interactive_message_with_err'));
    expect(events).toEqual([
      expect.objectContaining({
        kind: 'message',
        type: 'interactive',
        contextMessageId: 'wamid.gvwegfretge==',
      }),
      expect.objectContaining({ kind: 'error', error: expect.objectContaining({ code: 131000 }) }),
    ]);
  });

  it('yields the same events when it is packed with all others', () => {
    const single = webhooks.flatMap((name) => parseNotification(fixture(name)));
    const entry = webhooks.flatMap((name) => fixture(name).entry);
    expect(parseNotification({ object: 'whatsapp_business_account', entry })).toEqual(single);
    expect(single.length).toBe(webhooks.length + 1);
  });
});

describe('dedupe keys', () => {
  const status = { id: 'wamid.1', status: 'delivered', timestamp: '1', recipient_id: '1' };

  it('of a repeated status are equal whatever else changed', () => {
    const later = { ...status, timestamp: '2', pricing: { billable: true } };
    expect(keysOf(envelope({ statuses: [status] }))).toEqual(
      keysOf(envelope({ statuses: [later] })),
    );
  });

  it.each([
    ['status', { status: 'read' }],
    ['message', { id: 'wamid.2' }],
    ['error', { errors: [{ code: 131026 }] }],
    ['participant', { recipient_participant_id: '2' }],
  ])('differ by %s', (_name, change) => {
    const keys = keysOf(envelope({ statuses: [status, { ...status, ...change }] }));
    expect(new Set(keys).size).toBe(2);
  });

  it('of account changes differ by content and by time, and repeat with both', () => {
    expect(update('A', 1)).toBe(update('A', 1));
    expect(new Set([update('A', 1), update('B', 1), update('A', 2)]).size).toBe(3);
  });
});

describe('a message', () => {
  it.each([
    ['seconds as text', '1749416383'],
    ['seconds', 1749416383],
    ['milliseconds as text', '1749416383000'],
    ['milliseconds', 1749416383000],
  ])('has its time from %s', (_name, timestamp) => {
    expect(message({ timestamp })?.occurredAt).toEqual(new Date('2025-06-08T20:59:43Z'));
  });

  // The last three: in 1970, the year 5138 and the year 275760.
  it.each([null, '', 'soon', -1, 0, 1e300, {}, '86400', '99999999999', '8640000000000000'])(
    'has no time from %j',
    (timestamp) => {
      expect(message({ timestamp })?.occurredAt).toBeNull();
    },
  );

  it.each<[string, unknown, string | null]>([
    ['absent', undefined, null],
    ['without a profile', [{ wa_id: '1' }], null],
    ['of others', [{ wa_id: '2', profile: { name: 'B' } }, { wa_id: '3' }], null],
    ['several', [{ wa_id: '2' }, { wa_id: '1', profile: { name: 'A' } }], 'A'],
    ['not a list', { wa_id: '1' }, null],
  ])('takes its name from contacts that are %s', (_name, contacts, fromName) => {
    expect(message({ from: '1' }, contacts)).toMatchObject({ from: '1', fromName });
  });

  it('that was forwarded has no context id', () => {
    expect(message({ context: { forwarded: true } })).toMatchObject({ contextMessageId: null });
  });

  it('keeps its own object', () => {
    const own = { id: 'w', type: 'order', order: { catalog_id: '1' } };
    expect(message(own)).toMatchObject({ message: own });
  });
});

describe('a call', () => {
  const call = (fields: object, contacts?: unknown) =>
    parseNotification(
      envelope({ metadata, contacts, calls: [{ id: 'wacid.1', ...fields }] }, 'calls'),
    )[0];
  const own = {
    from: '16315553602',
    to: '15550783881',
    event: 'connect',
    timestamp: '1671644824',
    direction: 'USER_INITIATED',
  };
  const mia = {
    profile: { name: 'Mia', username: '@mia' },
    wa_id: '16315553602',
    user_id: 'US.1',
    parent_user_id: 'US.ENT.2',
  };

  it('of a user names the user, by what the contact adds', () => {
    expect(call(own, [mia])).toMatchObject({
      kind: 'call',
      field: 'calls',
      phoneNumberId: '106540352242922',
      occurredAt: new Date('2022-12-21T17:47:04Z'),
      dedupeKey: 'call:wacid.1:connect',
      event: 'connect',
      direction: 'USER_INITIATED',
      from: '16315553602',
      fromUserId: 'US.1',
      fromParentUserId: 'US.ENT.2',
      fromName: 'Mia',
      fromUsername: '@mia',
    });
  });

  it('of a user who hides the number has the user id', () => {
    const { from: _, ...hidden } = own;
    const { wa_id: __, ...contact } = mia;
    expect(call(hidden, [contact])).toMatchObject({ from: null, fromUserId: 'US.1' });
    expect(call({ ...hidden, from_user_id: 'US.3' })).toMatchObject({ fromUserId: 'US.3' });
  });

  it('of the business does not name the user as the caller', () => {
    const made = { ...own, from: own.to, to: own.from, direction: 'BUSINESS_INITIATED' };
    expect(call(made, [mia])).toMatchObject({
      direction: 'BUSINESS_INITIATED',
      from: '15550783881',
      fromUserId: null,
      fromName: null,
    });
  });

  it('may have values that nobody knows, or none', () => {
    expect(call({ event: 'hold', direction: 7, from: {}, timestamp: 'soon' })).toMatchObject({
      kind: 'call',
      event: 'hold',
      direction: null,
      from: null,
      occurredAt: null,
    });
    expect(call({}, 'x')).toMatchObject({ kind: 'call', dedupeKey: 'call:wacid.1:', event: null });
  });

  it('has a key for each event of it', () => {
    expect(call({ event: 'terminate' })?.dedupeKey).not.toBe(call({ event: 'connect' })?.dedupeKey);
  });
});

describe('any JSON value', () => {
  const deep = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
  it.each<[string, unknown]>([
    ['null', null],
    ['text', 'x'],
    ['a list', []],
    ['an empty object', {}],
    ['entries that are no objects', { entry: [null] }],
    ['a change that is no object', { entry: [{ changes: [7] }] }],
    ['a value that is no object', envelope('x')],
    ['an unknown field', envelope({ a: 1 }, 'brand_new')],
    ['a messages field without messages', envelope({ metadata })],
    ['messages that are no objects', envelope({ messages: [null] })],
    ['a message without an id', envelope({ messages: [{ type: 'text' }] })],
    ['a status without a status', envelope({ statuses: [{ id: 'w' }] })],
    ['an error without a code', envelope({ errors: ['x'] })],
    ['a calls field without calls', envelope({ metadata }, 'calls')],
    ['calls that are no objects', envelope({ calls: [null] }, 'calls')],
    ['a call without an id', envelope({ calls: [{ event: 'connect' }] }, 'calls')],
    ['a status of a call', envelope({ statuses: [{ id: 'wacid.1', status: 'RINGING' }] }, 'calls')],
    ['nesting beyond the stack', envelope(deep)],
  ])('becomes one event of kind other: %s', (_name, body) => {
    const events = parseNotification(body);
    expect(events.map(({ kind }) => kind)).toEqual(['other']);
    expect(events[0]?.dedupeKey).toMatch(/^\w+:[\w-]{43}$/);
  });

  it('without entries holds no event', () => {
    expect(parseNotification({ object: 'whatsapp_business_account', entry: [] })).toEqual([]);
  });
});

describe('the signature of a notification', () => {
  const body = Buffer.from('{"text":"Gr\\u00fc\\u00dfe \\ud83d\\udc4b https:\\/\\/x.example"}');
  const sign = (secret: string) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const verify = async (header: string | undefined, secret: string, bytes = body) => {
    const digest = parseSignature(header);
    return digest !== null && isSignedWith(secret, bytes, digest, async () => {});
  };

  it.each<[string, string | undefined, string, boolean]>([
    ['the secret', sign('a'), 'a', true],
    ['upper-case digits', sign('a').toUpperCase().replace('SHA', 'sha'), 'a', true],
    ['another secret', sign('c'), 'a', false],
    ['an empty secret', sign(''), '', false],
    ['no header', undefined, 'a', false],
    ['another algorithm', sign('a').replace('sha256', 'sha1'), 'a', false],
    ['a short digest', sign('a').slice(0, -2), 'a', false],
    ['a digest that is no hex', `sha256=${'z'.repeat(64)}`, 'a', false],
  ])('is checked with %s', async (_name, header, secret, isRight) => {
    expect(await verify(header, secret)).toBe(isRight);
  });

  it('does not match the same JSON in other bytes', async () => {
    const same = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
    expect(await verify(sign('a'), 'a', same)).toBe(false);
  });
});
