import { sha256Hex, sign } from '../../src/auth/request-signature.js';
import { Dashboard, newAccount, newUser } from '../support/dashboard.js';
import { redisDatabase } from '../support/database.js';
import { dumpOf, redisDumpOf } from '../support/dump.js';
import { installation, stores } from '../support/installation.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { notification, notify, textMessage } from '../support/webhooks.js';

/** Words that do not occur by chance. */
const canaries = {
  text: 'canary-of-a-message-text',
  buttonTitle: 'canary-of-a-title',
  reference: 'canary-of-a-reference',
  inboundText: 'canary-of-an-answer',
  recipient: '+4930555012345',
  otherRecipient: '+4930555098765',
  sender: '4930555054321',
  password: 'canary-of-a-password',
  wrongPassword: 'canary-of-a-wrong-password',
  accessToken: 'canary-of-an-access-token',
  appSecret: 'canary-of-an-app-secret',
  brokenBody: 'canary-of-a-broken-body',
  userName: 'canary-of-a-name',
} as const;

describe.each(stores)('secret data, over %s', (store) => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let redisUrl = '';
  /** Secrets that the product made. */
  const made: Record<string, string> = {};

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    if (store === 'redis') redisUrl = await redisDatabase();
    stack = await Stack.start({
      ...(redisUrl && { redisUrl }),
      store,
      own: true,
      webhooks: true,
      env: { LOG_LEVEL: 'trace', WEBHOOK_RETRY_SECONDS: '0.1' },
    });
    await useEverything();
  }, 120_000);

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  /** Passes every canary through the product, on ways that succeed and on ways that fail. */
  async function useEverything(): Promise<void> {
    const operator = await Dashboard.signIn(stack);
    const user = newUser({ password: canaries.password });
    await operator.get('POST', '/users', user);
    const somebody = await Dashboard.signIn(stack, String(user.email), canaries.password);
    made.session = somebody.cookie?.split('=')[1] ?? '';
    await new Dashboard(stack).call('POST', '/session', {
      email: user.email,
      password: canaries.wrongPassword,
    });
    await operator.get(
      'POST',
      '/accounts',
      newAccount({ access_token: canaries.accessToken, app_secret: canaries.appSecret }),
    );
    const created = await operator.newKey({
      account_id: installation.accountId,
      permissions: ['send_text', 'send_template', 'view_messages'],
      webhook_url: receiver.url('/hook'),
    });
    const { key } = created;
    Object.assign(made, {
      key,
      signingSecret: created.signing_secret,
      webhookSecret: created.webhook_secret,
    });
    const rotated = await operator.get('POST', `/api-keys/${created.api_key.id}/rotate`, {
      overlap_seconds: 600,
    });
    made.rotatedKey = rotated.key;
    const message = buttonMessage({
      to: canaries.recipient,
      body: canaries.text,
      buttons: [{ id: 'yes', title: canaries.buttonTitle }],
      reference: canaries.reference,
    });
    const sent = await stack.send('button', message, {}, { apiKey: key });
    expect(sent.body.data.status).toBe('sent');
    // Refused by the platform, dropped on the way, given up.
    for (const fault of [{ code: 131_026 }, 'accept-then-drop']) {
      await stack.rules.add({ match: { to: canaries.otherRecipient }, fault, times: 1 });
      await stack.send('button', { ...message, to: canaries.otherRecipient }, {}, { apiKey: key });
    }
    for (const body of [`{"to":"${canaries.recipient}","body":"${canaries.brokenBody}`, '[]']) {
      await stack.send('button', body, { 'Content-Type': 'application/json' }, { apiKey: key });
    }
    await stack.send('button', { ...message, to: `${canaries.recipient}x` }, {}, { apiKey: key });
    await stack.get(`/messages?to=${encodeURIComponent(canaries.recipient)}`, { apiKey: key });
    await stack.get(`/${canaries.brokenBody}`, { apiKey: key });
    const timestamp = Math.floor(Date.now() / 1_000);
    const target = `/api/v1/external/messages?reference=${canaries.reference}`;
    const request = { method: 'GET', target, bodySha256: sha256Hex(Buffer.alloc(0)) };
    const signature = sign(made.signingSecret ?? '', request, timestamp, '').toString('hex');
    const signed = await stack.requestAt(target, {
      apiKey: key,
      headers: { 'X-Timestamp': String(timestamp), 'X-Signature': `v1=${signature}` },
    });
    expect(signed.status).toBe(200);
    for (const text of [canaries.inboundText, `${canaries.inboundText}\0`]) {
      await notify(
        stack,
        notification({
          contacts: [{ wa_id: canaries.sender, profile: { name: canaries.userName } }],
          messages: [textMessage({ from: canaries.sender, text: { body: text } })],
        }),
      );
    }
    await notify(stack, notification({ messages: [{ text: canaries.inboundText }] }), {
      secret: 'another',
    });
    await until(() => JSON.stringify(receiver.events).includes(canaries.inboundText));
    await until(async () => {
      const [row] = await stack.sql(
        `select count(*)::int as open from messages where status in ('queued', 'sending')`,
      );
      return row.open === 0;
    });
  }

  it('is in no log, at any level: keys, secrets, passwords, numbers, texts', async () => {
    const secrets = { ...canaries, ...made, secretKey: installation.secretKey };
    await Promise.all(stack.processes.map((process) => process.stop()));
    for (const { name, output } of stack.processes) {
      if (name === 'simulator') continue;
      expect(output).toContain('"level"');
      const found = Object.entries(secrets).filter(
        ([, secret]) => output.includes(secret) || output.includes(encodeURIComponent(secret)),
      );
      expect({ name, found: found.map(([secret]) => secret) }).toEqual({ name, found: [] });
    }
  });

  it('is nowhere in the stores: a stolen backup signs nothing and admits no one', async () => {
    const stored = [await dumpOf(stack), redisUrl && (await redisDumpOf(redisUrl))].join('\n');
    // The dump is complete: what is not secret is in it.
    expect(stored).toContain(canaries.text);
    const secrets = [
      canaries.password,
      canaries.accessToken,
      canaries.appSecret,
      installation.apiKey,
      installation.adminPassword,
      installation.appSecret,
      installation.secretKey,
      ...Object.values(made),
    ];
    const plain = secrets.flatMap((secret) => [
      secret,
      secret.replace(/^(sgsec|whsec)_/, ''),
      Buffer.from(secret.replace(/^(sgsec|whsec)_/, ''), 'base64').toString('hex'),
    ]);
    expect(plain.filter((secret) => stored.includes(secret))).toEqual([]);
  });
});
