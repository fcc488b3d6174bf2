import { parseNotification } from '#libs/whatsapp';
import {
  message,
  ownNumberId,
  SimulatorUnderTest,
  until,
  WebhookEndpoint,
} from './spec-support.js';

const accountId = '200000000000009';
const from = '+16505551234';
const digits = from.slice(1);

/** A template of each category, without anything to fill in. */
const templates = ['MARKETING', 'UTILITY'].map((category) => ({
  name: category.toLowerCase(),
  language: 'en_US',
  category,
  components: [{ type: 'BODY', text: 'Hello' }],
}));
const template = (name = 'marketing', more: object = {}) =>
  message('template', { name, language: { code: 'en_US' } }, { ...more });
const toUserId = { to: undefined, recipient: 'US.1234' };

describe('a user who stops marketing', () => {
  const endpoint = new WebhookEndpoint();
  let simulator: SimulatorUnderTest;
  beforeAll(async () => {
    simulator = await SimulatorUnderTest.start({
      appSecret: 's',
      webhookUrl: await endpoint.listen(),
      statusDelays: { sentMs: 1, deliveredMs: 2, readMs: 3 },
    });
  });
  afterAll(async () => {
    await simulator.close();
    await endpoint.close();
  });
  beforeEach(async () => {
    await simulator.reset();
    endpoint.clear();
    const number = { phone_number_id: ownNumberId, business_account_id: accountId };
    await put('numbers', { ...number, display_phone_number: '15550783881' });
    await put('templates', { business_account_id: accountId, templates });
  });

  const put = (path: string, body: unknown) => simulator.call('PUT', `/_simulator/${path}`, body);
  const stop = (stopped_marketing: unknown = [ownNumberId], more: object = {}) =>
    put('users', { phone: from, stopped_marketing, ...more });
  const reports = () => endpoint.changes().filter(({ field }) => field === 'user_preferences');
  const reported = (count: number) => until(() => reports().length >= count && reports());
  const valuesOf = (changes: readonly any[]) =>
    changes.map(({ value }) => [
      value.metadata.phone_number_id,
      value.user_preferences.map((each: { value: string }) => each.value).join(),
    ]);
  /** The last status of a message: `read`, or the code it failed with. */
  const endOf = async (body: unknown): Promise<string | number> => {
    const { http, json } = await simulator.send(body);
    expect(http).toBe(200);
    const [{ id }] = json.messages;
    return until(() => {
      const own = endpoint.statuses().filter((status) => status.id === id);
      const last = own.find(({ status }) => /read|failed/.test(status));
      return last && (last.errors?.[0].code ?? last.status);
    });
  };

  it('is reported as the platform does, and so is the change of mind', async () => {
    expect((await stop()).json).toMatchObject({ phone: digits, stopped_marketing: [ownNumberId] });
    const [change] = await reported(1);
    expect(change.value).toEqual({
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550783881', phone_number_id: ownNumberId },
      contacts: [{ profile: { name: 'User 1234' }, wa_id: digits, user_id: 'US.100016505551234' }],
      user_preferences: [
        {
          wa_id: digits,
          user_id: 'US.100016505551234',
          detail: 'User requested to stop marketing messages',
          category: 'marketing_messages',
          value: 'stop',
          timestamp: expect.any(Number),
        },
      ],
    });
    expect((await stop([])).json.stopped_marketing).toEqual([]);
    const [, resumed] = await reported(2);
    expect(resumed.value.user_preferences).toEqual([
      expect.objectContaining({
        detail: 'User requested to resume marketing messages',
        value: 'resume',
      }),
    ]);
    expect(endpoint.calls.flatMap(({ json }) => parseNotification(json))).toMatchObject([
      { kind: 'user_preference', businessAccountId: accountId, from: digits, value: 'stop' },
      { kind: 'user_preference', businessAccountId: accountId, from: digits, value: 'resume' },
    ]);
  });

  it('is reported by user id alone if the number is hidden', async () => {
    await stop([ownNumberId], {
      user_id: 'US.1234',
      parent_user_id: 'US.ENT.5',
      hides_phone: true,
    });
    const [{ value }] = await reported(1);
    expect(value.contacts[0]).not.toHaveProperty('wa_id');
    expect(value.user_preferences[0]).not.toHaveProperty('wa_id');
    expect(value.user_preferences[0]).toMatchObject({
      user_id: 'US.1234',
      parent_user_id: 'US.ENT.5',
    });
  });

  it('is reported once, to the numbers that it concerns', async () => {
    await stop([ownNumberId, ownNumberId, '7']);
    await stop([ownNumberId, '7']);
    await put('users', { phone: from, name: 'Mia' });
    await stop(['7']);
    const changes = valuesOf(await reported(3));
    expect(changes).toHaveLength(3);
    expect(changes).toEqual(
      expect.arrayContaining([
        [ownNumberId, 'stop'],
        ['7', 'stop'],
        [ownNumberId, 'resume'],
      ]),
    );
  });

  it('gets no marketing template, and everything else', async () => {
    expect(await endOf(template())).toBe('read');
    await stop();
    expect(await endOf(template())).toBe(131050);
    expect(await endOf(template('utility'))).toBe('read');
    expect(await endOf(message('text', { body: 'Hello' }))).toBe('read');
    expect(await endOf(template('marketing', { to: '+16505550000' }))).toBe('read');
    await stop([]);
    expect(await endOf(template())).toBe('read');
  });

  it('gets marketing from another number', async () => {
    await stop(['7']);
    expect(await endOf(template())).toBe('read');
  });

  it('is the same user by user id, also by a new one', async () => {
    await stop([ownNumberId], { user_id: 'US.1234' });
    expect(await endOf(template('marketing', toUserId))).toBe(131050);
    const change = { phone: from, new_user_id: 'US.4321', phone_number_id: ownNumberId };
    await simulator.call('POST', '/_simulator/users/change', change);
    expect(await endOf(template('marketing', { ...toUserId, recipient: 'US.4321' }))).toBe(131050);
    expect(await endOf(template())).toBe(131050);
  });

  it('leaves the last word to a fault', async () => {
    await stop();
    await simulator.rule({ failed: 131049 }, {}, 1);
    expect(await endOf(template())).toBe(131049);
    await simulator.rule({ code: 131026 }, {}, 1);
    expect((await simulator.send(template())).json.error.code).toBe(131026);
    await simulator.rule({ status_code: 200, body: {}, accept: true }, {}, 1);
    await simulator.send(template());
    const failures = () => endpoint.statuses().filter(({ status }) => status === 'failed');
    await until(() => failures().length === 2);
    expect(failures()[1].errors[0].code).toBe(131050);
  });

  it.each<[string, unknown]>([
    ['true', true],
    ['null', null],
    ['a list of other things', [7]],
    ['an id that is no number', ['x']],
  ])('is not set by %s', async (_, stopped) => {
    const { http, json } = await stop(stopped);
    expect([http, json.error.message]).toEqual([
      400,
      'stopped_marketing must be a list of ids of business numbers',
    ]);
  });
});
