import { Dashboard } from '../support/dashboard.js';
import { Stack } from '../support/stack.js';
import { definitions, putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';
import { notification, notify, textMessage } from '../support/webhooks.js';

const sale = { ...definitions.plain, name: 'sale', category: 'MARKETING' };

describe('two forms of one number', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
    await putTemplates(stack, [...Object.values(definitions), sale]);
    const dashboard = await Dashboard.signIn(stack);
    await sync(dashboard);
    const { accounts } = await dashboard.get('GET', '/accounts');
    await dashboard.get('PATCH', `/accounts/${accounts[0].id}`, {
      keywords: { out: ['stop'], in: ['start'] },
    });
  });

  afterAll(() => stack?.stop());

  const send = (to: string, name = 'sale') =>
    stack.request('/messages/template', {
      method: 'POST',
      body: { to, template_name: name, language: 'en_US', components: [] },
    });
  const contactOf = async (phone: string) =>
    (await stack.get(`/contacts?phone=${encodeURIComponent(phone)}`)).body.data.contacts;
  const stop = (from: string) =>
    notify(
      stack,
      notification({ messages: [textMessage({ from: from.slice(1), text: { body: 'STOP' } })] }),
    );
  const isOut = async (phone: string) =>
    (await stack.get(`/contacts/consent?phone=${encodeURIComponent(phone)}`)).body.data.marketing
      .state === 'opted_out';

  it.each([
    ['Brazil', '+5531987654321', '+553187654321'],
    ['Mexico', '+5215587654321', '+525587654321'],
    ['Argentina', '+541187654321', '+5491187654321'],
  ])(
    'are one contact in %s: STOP from one stops a template to the other',
    async (_, one, other) => {
      await stop(other);
      await until(() => isOut(other));
      for (const to of [one, other]) {
        const { status, body } = await send(to);
        expect([status, body.error?.code]).toEqual([400, 'RECIPIENT_OPTED_OUT']);
      }
      expect(await contactOf(one)).toEqual(await contactOf(other));
    },
  );

  it('are learnt from the answer to a send, in any country', async () => {
    const [one, other] = ['+2250787654321', '+22587654321'];
    await stack.rules.add({ match: { to: one }, fault: { wa_id: other } });
    await stack.rules.add({ match: { to: one }, fault: 'no-statuses' });
    await stop(other);
    await until(() => isOut(other));
    expect(await isOut(one)).toBe(false);
    expect((await send(one)).status).toBe(200);
    await until(() => isOut(one));
    expect((await send(one)).body.error.code).toBe('RECIPIENT_OPTED_OUT');
    expect(await contactOf(one)).toEqual(await contactOf(other));
  });

  it('are stopped together when WhatsApp reports that the user has stopped marketing (131050)', async () => {
    const [one, other] = ['+2250787650000', '+22587650000'];
    await stack.rules.add({ match: { to: one }, fault: { wa_id: other } });
    await stack.rules.add({ match: { to: one }, fault: { failed: 131050 } });
    expect((await send(one)).status).toBe(200);
    await until(() => isOut(one));
    expect((await send(one)).body.error.code).toBe('RECIPIENT_OPTED_OUT');
    expect((await send(other)).body.error.code).toBe('RECIPIENT_OPTED_OUT');
    expect(await contactOf(one)).toHaveLength(1);
  });

  it('are one person for who asks for the messages to a number', async () => {
    const pairs = [
      ['+5531987651111', '+553187651111'],
      ['+2250787651111', '+22587651111'],
    ] as const;
    const dashboard = await Dashboard.signIn(stack);
    for (const [one, other] of pairs) {
      await stack.rules.add({ match: { to: one }, fault: { wa_id: other } });
      const { message_id } = (await send(one, definitions.plain.name)).body.data;
      const asked = encodeURIComponent(other);
      await until(async () => (await contactOf(other)).length === 1);
      const mine = [expect.objectContaining({ message_id })];
      expect((await stack.get(`/messages?to=${asked}`)).body.data.messages).toEqual(mine);
      expect(await dashboard.get('GET', `/messages?to=${asked}`)).toMatchObject({ messages: mine });
    }
    expect((await stack.get('/messages?to=%2B4915100000001')).body.data.messages).toEqual([]);
  });
});
