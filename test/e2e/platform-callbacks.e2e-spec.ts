import { Dashboard, newAccount } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { demoNumber, notification, notify, textMessage } from '../support/webhooks.js';

const route = '/api/v1/platform/whatsapp/webhooks';
const secret = 'app-secret-of-the-second-app';

describe('the callback address of an account', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let operator: Dashboard;
  let account: any;

  const number = {
    businessAccountId: '400000000000004',
    phoneNumberId: '300000000000003',
    displayPhoneNumber: '15550783000',
  };
  const handshake = (path: string, token = 'verify-token-of-the-tests') =>
    stack.requestAt(
      `${path}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`,
      { apiKey: null },
    );
  const unknownAccount = '01900000-0000-7000-8000-000000000000';

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
    ({ account } = await operator.get('POST', '/accounts', newAccount({ app_secret: secret })));
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  it('answers the handshake, and 404 for an account that does not exist', async () => {
    const answer = await handshake(`${route}/${account.id}`);
    expect([answer.status, answer.text]).toEqual([200, '1158201444']);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect((await handshake(`${route}/${account.id}`, 'wrong')).status).toBe(403);
    expect((await handshake(`${route}/${unknownAccount}`)).status).toBe(404);
    expect((await handshake(`${route}/not-an-id`)).status).toBe(404);
    expect((await handshake(`${route}/${unknownAccount}`, 'wrong')).status).toBe(403);
  });

  it('takes what the app of the account signs, and nothing else', async () => {
    const { id } = (
      await operator.newKey({
        account_id: account.id,
        webhook_url: receiver.url('/second'),
        webhook_events: ['message.received'],
      })
    ).api_key;
    expect(id).toBeTruthy();
    const message = textMessage();
    const body = notification({ messages: [message] }, number);
    const to = (accountId: string, withSecret: string | undefined) =>
      notify(stack, body, { path: `/${accountId}`, secret: withSecret });
    expect((await to(account.id, installation.appSecret)).status).toBe(401);
    expect((await to(installation.accountId, secret)).status).toBe(401);
    expect((await to(unknownAccount, secret)).status).toBe(401);
    expect((await to('not-an-id', secret)).status).toBe(401);
    const taken = await to(account.id, secret);
    expect([taken.status, taken.text]).toEqual([200, 'EVENT_RECEIVED']);
    const event = await until(() => receiver.at('/second')[0]);
    expect(event.body.data.message_id).toBe(message.id);
  });

  it('works the moment the account is made', async () => {
    const { account: third } = await operator.get(
      'POST',
      '/accounts',
      newAccount({ phone_number_id: '300000000000033', app_secret: 'the-third-secret' }),
    );
    await until(
      async () =>
        (
          await notify(stack, notification({ messages: [] }), {
            path: `/${third.id}`,
            secret: 'the-third-secret',
          })
        ).status === 200,
    );
  });

  it('is not the only one: the address without an account takes what any known app signs', async () => {
    const named = (which: typeof number, withSecret?: string, bytes = 0) =>
      notify(
        stack,
        notification({ messages: [textMessage({ text: { body: 'x'.repeat(bytes) } })] }, which),
        { secret: withSecret },
      );
    expect((await named(number, secret)).status).toBe(200);
    expect((await named(demoNumber)).status).toBe(200);
    expect((await named(demoNumber, 'neither')).status).toBe(401);
    // None of it is for the account that owns this secret, so nothing happens.
    expect((await named(demoNumber, secret)).status).toBe(200);
    // A large body is hashed only with the secrets of the accounts that it names.
    expect((await named(demoNumber, undefined, 1_000_000)).status).toBe(200);
    expect((await named(demoNumber, secret, 1_000_000)).status).toBe(401);
    const both = {
      object: 'whatsapp_business_account',
      entry: [
        ...notification({ messages: [textMessage()] }).entry,
        ...notification({ messages: [textMessage()] }, number).entry,
      ],
    };
    expect((await notify(stack, both)).status).toBe(200);
    expect((await notify(stack, both, { secret })).status).toBe(200);
    expect((await notify(stack, both, { secret: 'neither' })).status).toBe(401);
  });

  it('that names no account of ours is checked against every app: Meta’s own test button sends such bodies', async () => {
    const sample = { ...number, businessAccountId: '0', phoneNumberId: '123456123' };
    const body = notification({ messages: [textMessage()] }, sample);
    expect((await notify(stack, body, { secret })).status).toBe(200);
    expect((await notify(stack, body)).status).toBe(200);
    expect((await notify(stack, body, { secret: 'neither' })).status).toBe(401);
  });
});
