import { notificationParts } from './notification-parts.js';

const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' };

const notificationOf = (field: string, value: object, others: object = {}) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', time: 1_764_000_000, changes: [{ field, value }] }],
    ...others,
  });

const valuesOf = (text: string) =>
  notificationParts(text).map(({ body }) => {
    const { entry } = JSON.parse(body);
    expect(entry).toHaveLength(1);
    expect(entry[0].changes).toHaveLength(1);
    return entry[0].changes[0].value;
  });

const anna = { profile: { name: 'Anna' }, wa_id: '4915112345678' };
const hidden = { profile: { name: 'Bo' }, user_id: 'US.13491208655302741918' };
const fromAnna = { from: '4915112345678', id: 'wamid.1', type: 'text', text: { body: 'Hi' } };
const fromHidden = { from_user_id: 'US.13491208655302741918', id: 'wamid.2', type: 'text' };
const status = { id: 'wamid.3', status: 'sent', recipient_id: '4915112345678' };

describe('the parts of a notification', () => {
  it('are one message or status each, with the contact of its user alone', () => {
    const value = {
      messaging_product: 'whatsapp',
      metadata,
      contacts: [anna, hidden],
      messages: [fromAnna, fromHidden],
      statuses: [status],
    };
    const common = { messaging_product: 'whatsapp', metadata };
    expect(valuesOf(notificationOf('messages', value))).toEqual([
      { ...common, contacts: [anna], messages: [fromAnna] },
      { ...common, contacts: [hidden], messages: [fromHidden] },
      { ...common, contacts: [anna], statuses: [status] },
    ]);
  });

  it('leave out contacts that match nobody', () => {
    const [value] = valuesOf(
      notificationOf('messages', { metadata, contacts: [hidden], statuses: [status] }),
    );
    expect(value).toEqual({ metadata, statuses: [status] });
  });

  it.each([
    ['smb_message_echoes', 'message_echoes', { from: '1', to: '4915112345678', id: 'wamid.4' }],
    ['standby', 'message_echoes', { from: '1', to: '4915112345678', id: 'wamid.4' }],
    ['standby', 'messages', fromAnna],
    ['standby', 'statuses', status],
  ])('of %s are the elements of %s', (field, list, element) => {
    const other = { ...element, id: 'wamid.5' };
    expect(
      valuesOf(notificationOf(field, { metadata, contacts: [anna], [list]: [element, other] })),
    ).toEqual([
      { metadata, contacts: [anna], [list]: [element] },
      { metadata, contacts: [anna], [list]: [other] },
    ]);
  });

  it('of standby may be one level deeper', () => {
    const standby = { messages: [fromAnna], statuses: [status], errors: [{ code: 1 }] };
    expect(valuesOf(notificationOf('standby', { metadata, contacts: [anna], standby }))).toEqual([
      { metadata, contacts: [anna], standby: { messages: [fromAnna] } },
      expect.objectContaining({ metadata, standby: { statuses: [status] } }),
      { metadata, standby: { errors: [{ code: 1 }] } },
    ]);
  });

  it.each([
    ['calls', { metadata, statuses: [{ id: 'c1' }, { id: 'c2' }] }],
    ['user_preferences', { metadata, contacts: [anna], user_preferences: [{}, {}] }],
    ['account_update', { event: 'VERIFIED_ACCOUNT' }],
    ['a_new_field', { lists: [1, 2], contacts: [anna] }],
    ['messages', { metadata, errors: [{ code: 130_429 }] }],
    ['messages', { metadata, messages: [], contacts: [anna] }],
    ['messages', { metadata, messages: 'not a list' }],
  ])('of %s are whole changes, where nothing is to be cut', (field, value) => {
    expect(valuesOf(notificationOf(field, value))).toEqual([value]);
  });

  it('keep errors that stand beside messages, alone', () => {
    const errors = [{ code: 131_051, title: 'Unsupported' }];
    expect(
      valuesOf(
        notificationOf('messages', { metadata, contacts: [anna], messages: [fromAnna], errors }),
      ),
    ).toEqual([
      { metadata, contacts: [anna], messages: [fromAnna] },
      { metadata, errors },
    ]);
  });

  it('keep members that are not known, and every digit of a number', () => {
    const text = `{"object":"whatsapp_business_account","later":1.10,"entry":[{"id":102290129340398123456789,
      "uid":"x","changes":[{"field":"messages","seen":true,"value":{"metadata":{"phone_number_id":12345678901234567890},
      "messages":[{"id":"wamid.1","from":"1","big":98765432109876543210,"exact":1.0,"__proto__":{"a":1}}]}}]}]}`;
    const [part] = notificationParts(text);
    expect(part?.body).toBe(text.replaceAll(/\n\s*/g, ''));
  });

  it('of several entries and changes come in the order of the body', () => {
    const change = (id: string) => ({
      field: 'messages',
      value: { metadata, statuses: [{ ...status, id }] },
    });
    const text = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        { id: 'waba1', changes: [change('a'), change('b')] },
        { id: 'waba2', changes: [change('c')] },
      ],
    });
    const parts = notificationParts(text);
    expect(parts.map(({ body }) => JSON.parse(body).entry[0].id)).toEqual([
      'waba1',
      'waba1',
      'waba2',
    ]);
    expect(parts.map(({ events }) => events.map(({ kind }) => kind))).toEqual([
      ['status'],
      ['status'],
      ['status'],
    ]);
  });

  it('are known by the same keys however they were packaged', () => {
    const single = (list: string, element: object) =>
      notificationParts(
        notificationOf('messages', { metadata, contacts: [anna], [list]: [element] }),
      );
    const together = notificationParts(
      notificationOf('messages', {
        metadata,
        contacts: [anna],
        messages: [fromAnna],
        statuses: [status],
      }),
    );
    const keysOf = (parts: ReturnType<typeof notificationParts>) =>
      parts.flatMap(({ events }) => events.map(({ dedupeKey }) => dedupeKey));
    expect(keysOf(together)).toEqual(
      keysOf([...single('messages', fromAnna), ...single('statuses', status)]),
    );
  });

  it.each(['[]', '{}', '{"entry":7}', '{"entry":[null]}', '{"entry":[{"changes":[3]}]}', '"text"'])(
    'of %s are one, and nothing is thrown',
    (text) => {
      expect(notificationParts(text).map(({ body }) => body)).toEqual([text]);
    },
  );

  it('have the last of two members with one name, as JSON.parse reads them', () => {
    expect(notificationParts('{"entry":[{"id":"1","id":"2"}]}').map(({ body }) => body)).toEqual([
      '{"entry":[{"id":"2"}]}',
    ]);
  });

  it('refuse what is not JSON', () => {
    expect(() => notificationParts('{"entry":')).toThrow(SyntaxError);
  });

  it('can carry other callback data, or none', () => {
    const [part] = notificationParts(
      notificationOf('messages', {
        metadata,
        statuses: [{ ...status, biz_opaque_callback_data: 'ours', pricing: { billable: true } }],
      }),
    );
    const statusOf = (text = '') => JSON.parse(text).entry[0].changes[0].value.statuses[0];
    expect(statusOf(part?.withCallbackData('theirs'))).toEqual({
      ...status,
      biz_opaque_callback_data: 'theirs',
      pricing: { billable: true },
    });
    expect(statusOf(part?.withCallbackData(null))).toEqual({
      ...status,
      pricing: { billable: true },
    });
  });
});
