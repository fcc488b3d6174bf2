import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { hourMs } from '#libs/durations';
import {
  type AnswerInfo,
  ConnectionError,
  Parley,
  ParleyError,
  type ParleyOptions,
  RateLimitError,
  SendFailedError,
  ValidationFailedError,
  verifyWebhook,
  WebhookRefusedError,
} from '../../clients/typescript/src/index.js';
import { newId } from '../../src/database/ids.js';
import { SecretBox } from '../../src/secrets/secret-box.js';
import { addApiKey } from '../support/api-keys.js';
import { installation } from '../support/installation.js';
import { insertMessage } from '../support/messages.js';
import { checkout } from '../support/npm-start.js';
import { newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { addWebhookKey } from '../support/webhooks.js';

const buttons = [{ id: 'yes', title: 'Yes' }];
const message = (to = newRecipient()) => ({ to, body: 'Will you be at home?', buttons });

const clientFolder = join(checkout, 'clients/typescript');

/** What a promise was rejected with. */
async function refusalOf<T>(work: Promise<unknown>, type: new (...args: never[]) => T): Promise<T> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(type);
  return error as T;
}

describe('the TypeScript client', () => {
  let stack: Stack;
  const answers: AnswerInfo[] = [];

  const clientOf = (apiKey = installation.apiKey, options: Partial<ParleyOptions> = {}) =>
    new Parley({
      baseUrl: stack.apis[0]?.url ?? '',
      apiKey,
      onAnswer: (info) => answers.push(info),
      ...options,
    });

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
  });

  beforeEach(() => {
    answers.length = 0;
  });

  afterAll(() => stack?.stop());

  it('has the types of docs/openapi.json; else run npm run client', async () => {
    const made = astToString(await openapiTS(new URL(`file://${checkout}/docs/openapi.json`)));
    const kept = readFileSync(join(clientFolder, 'src/openapi.ts'), 'utf8');
    // The command writes a comment above it.
    expect(kept.slice(kept.indexOf('export interface paths'))).toBe(
      made.slice(made.indexOf('export interface paths')),
    );
  });

  it('sends every kind of message', async () => {
    const to = newRecipient();
    const parley = clientOf();
    const sent = [
      await parley.sendButtons(message(to)),
      await parley.sendList({
        to,
        body: 'When shall we come?',
        button: 'Choose',
        sections: [{ rows: [{ id: 'noon', title: 'At noon' }] }],
      }),
      await parley.sendText({ to, body: 'Hello' }),
      await parley.sendMedia({ to, type: 'image', link: 'https://example.com/parcel.png' }),
    ];
    expect(sent.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent', 'sent']);
    expect((await stack.ledger(to)).map(({ type }) => type)).toEqual([
      'interactive',
      'interactive',
      'text',
      'image',
    ]);
  });

  it('reads messages: one, a page, and all of them', async () => {
    const { key } = await addApiKey(stack);
    const parley = clientOf(key);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.unshift(
        (await parley.sendButtons({ ...message(), reference: 'of this test' })).message_id,
      );
    }
    expect(await parley.getMessage(ids[0] ?? '')).toMatchObject({
      // The simulator may have reported more by now.
      status: expect.stringMatching(/^(sent|delivered|read)$/),
      reference: 'of this test',
    });
    const page = await parley.listMessages({ reference: 'of this test', limit: 2 });
    expect(page.messages.map(({ message_id }) => message_id)).toEqual(ids.slice(0, 2));
    const all: string[] = [];
    for await (const { message_id } of parley.eachMessage({
      reference: 'of this test',
      limit: 2,
    })) {
      all.push(message_id);
    }
    expect(all).toEqual(ids);
    const templates = await parley.listTemplates();
    expect(templates).toMatchObject({ templates: expect.any(Array) });
  });

  it('reads contacts: those with a number, and one', async () => {
    const { key, id } = await addApiKey(stack);
    const contactId = newId();
    await stack.sql(
      `insert into contacts (id, account_id, mode, phone, user_id)
       select $1, account_id, mode, '+14155550177', 'US.77' from api_keys where id = $2`,
      [contactId, id],
    );
    const parley = clientOf(key);
    const { contacts } = await parley.listContacts({ phone: '+14155550177' });
    expect(contacts).toEqual([
      expect.objectContaining({ contact_id: contactId, user_id: 'US.77' }),
    ]);
    expect(await parley.getContact(contactId)).toEqual(contacts[0]);
    await expect(parley.getContact(newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('queues a send without waiting', async () => {
    const { status } = await clientOf().sendText(
      { to: newRecipient(), body: 'Hello' },
      { isAsync: true },
    );
    expect(status).toBe('queued');
    expect(answers).toMatchObject([
      { status: 202, isReplay: false, rateLimit: { limit: 1_000_000 } },
    ]);
  });

  it('sends once under one idempotency key', async () => {
    const to = newRecipient();
    const options = { idempotencyKey: 'order-1042' };
    const first = await clientOf().sendButtons(message(to), options);
    expect(await clientOf().sendButtons(message(to), options)).toEqual(first);
    expect(answers.map(({ isReplay }) => isReplay)).toEqual([false, true]);
    expect(await stack.ledger(to)).toHaveLength(1);
  });

  it('signs every request where it has a signing secret', async () => {
    const { id, key } = await addApiKey(stack);
    const signingSecret = `sgsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const box = new SecretBox([Buffer.from(installation.secretKey, 'base64')]);
    await stack.sql(
      `update api_keys set require_signature = true, signing_secret = $2 where id = $1`,
      [id, box.seal(signingSecret, `api_keys.signing_secret.${id}`)],
    );
    const signed = clientOf(key, { signingSecret });
    const to = newRecipient();
    expect(await signed.sendButtons(message(to))).toMatchObject({ status: 'sent' });
    expect(await signed.listMessages({ to, limit: 1 })).toMatchObject({ messages: [{ to }] });
    const unsigned = await refusalOf(clientOf(key).sendButtons(message()), ParleyError);
    expect(unsigned.code).toBe('INVALID_SIGNATURE');
  });

  it.each(['unsigned', 'signed'])('uploads a file, %s, and sends it', async (kind) => {
    const { id, key } = await addApiKey(stack);
    const signingSecret = `sgsec_${Buffer.alloc(32, 9).toString('base64')}`;
    const box = new SecretBox([Buffer.from(installation.secretKey, 'base64')]);
    await stack.sql(
      `update api_keys set require_signature = $3, signing_secret = $2 where id = $1`,
      [id, box.seal(signingSecret, `api_keys.signing_secret.${id}`), kind === 'signed'],
    );
    const parley = clientOf(key, kind === 'signed' ? { signingSecret } : {});
    const file = new File([`%PDF-1.4\n${kind}`], 'Rechnung "1".pdf', { type: 'application/pdf' });
    const { media_id, size } = await parley.uploadMedia(file);
    expect(size).toBe(file.size);
    const to = newRecipient();
    expect(await parley.sendMedia({ to, type: 'document', media_id })).toMatchObject({
      status: 'sent',
    });
    expect((await stack.ledger(to))[0]?.body.document.id).toMatch(/^\d+$/);
    const text = new Blob(['%PDF-1.4\n'], { type: 'image/png' });
    expect((await refusalOf(parley.uploadMedia(text), ParleyError)).code).toBe('MEDIA_TYPE');
  });

  it('reads the feed of its key as it comes, and goes on where it was', async () => {
    const without = clientOf((await addApiKey(stack)).key);
    expect((await refusalOf(without.listEvents(), ParleyError)).code).toBe('FEED_STATE');
    const { id, key } = await addApiKey(stack);
    const parley = clientOf(key);
    await stack.sql('update api_keys set event_feed = true where id = $1', [id]);
    const sent = [await parley.sendButtons(message()), await parley.sendButtons(message())];
    const told: string[] = [];
    let cursor: string | undefined;
    const stop = new AbortController();
    const filter = { types: 'message.status' };
    const reading = (async () => {
      const onPage = (next: string) => {
        cursor = next;
      };
      for await (const event of parley.eachEvent(filter, { signal: stop.signal, onPage })) {
        if (event.event === 'message.status' && event.data.status === 'sent') {
          told.push(event.data.message_id);
        }
        if (told.length === 2) break;
      }
    })();
    await reading;
    expect(told).toEqual(sent.map(({ message_id }) => message_id));
    const third = await parley.sendButtons(message());
    for await (const event of parley.eachEvent({ ...filter, cursor })) {
      if (event.event !== 'message.status' || event.data.message_id !== third.message_id) continue;
      expect(event.id).toMatch(/^evt_/);
      break;
    }
  });

  it('runs a campaign', async () => {
    const parley = clientOf();
    await stack.sql(
      `with key as (select id, account_id from api_keys where account_id = $1),
       made as (
         insert into templates (id, account_id, mode, name, language, category, status, parameter_format, components)
         values ($2, $1, 'live', 'spring', 'en_US', 'UTILITY', 'APPROVED', 'POSITIONAL',
           '[{"type": "BODY", "text": "Hello."}]')
         returning id)
       insert into template_mappings (api_key_id, template_id, variables)
       select key.id, made.id, '{}' from key, made`,
      [installation.accountId, newId()],
    );
    const { id, status } = await parley.createCampaign({
      name: 'Spring',
      template_name: 'spring',
      language: 'en_US',
    });
    expect(status).toBe('draft');
    expect(await parley.addRecipients(id, [{ to: newRecipient() }, { to: '12' }])).toMatchObject({
      added: 1,
      invalid: [{ index: 1 }],
    });
    expect((await parley.steerCampaign(id, 'start')).status).toBe('running');
    await until(async () => (await parley.getCampaign(id)).status === 'completed');
    const error = await refusalOf(parley.steerCampaign(id, 'pause'), ParleyError);
    expect(error).toMatchObject({ code: 'CAMPAIGN_STATE', details: { status: 'completed' } });
  });

  it('sends later, at another time, or not at all', async () => {
    const parley = clientOf();
    const later = (hours: number) => new Date(Date.now() + hours * hourMs);
    const { message_id: id, status } = await parley.sendButtons({
      ...message(),
      send_at: later(1).toISOString(),
    });
    expect(status).toBe('scheduled');
    const moved = later(2);
    expect((await parley.moveMessage(id, moved)).send_at).toBe(moved.toISOString());
    expect((await parley.cancelMessage(id)).status).toBe('cancelled');
    const error = await refusalOf(parley.moveMessage(id, moved), ParleyError);
    expect(error).toMatchObject({ code: 'MESSAGE_STATE', details: { status: 'cancelled' } });
  });

  it('cancels a message that is still queued, and no other', async () => {
    const parley = clientOf();
    const id = await insertMessage(stack, { nextAttemptIn: 600 });
    expect((await parley.cancelMessage(id)).status).toBe('cancelled');
    const sent = await parley.sendButtons(message());
    const error = await refusalOf(parley.cancelMessage(sent.message_id), ParleyError);
    expect(error).toMatchObject({ code: 'MESSAGE_STATE', details: { status: 'sent' } });
  });

  it('marks a message as read', async () => {
    const parley = clientOf();
    const { id } = await stack.control('POST', 'inbound', {
      from: newRecipient(),
      text: 'Hello',
      phone_number_id: '100000000000001',
    });
    expect(await parley.markRead(id)).toEqual({ message_id: id, typing: false });
    expect(await parley.markRead(id, { isTyping: true })).toEqual({ message_id: id, typing: true });
    const error = await refusalOf(parley.markRead('wamid.UNKNOWN'), SendFailedError);
    expect(error).toMatchObject({ isRetryable: false, platformCode: 131009 });
  });

  it('reports what is wrong with a request', async () => {
    const work = clientOf().sendButtons({ to: '+14155550123', body: ' ', buttons: [] });
    const error = await refusalOf(work, ValidationFailedError);
    expect(Object.keys(error.fields)).toEqual(['body', 'buttons']);
    expect(error).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', retryAfterSeconds: null });
    expect(error.requestId).toMatch(/^req_/);
    expect(answers).toHaveLength(1);
  });

  it('reports what WhatsApp said of a failed send, and does not repeat it', async () => {
    const work = clientOf().sendButtons(message('+15550131026'));
    const error = await refusalOf(work, SendFailedError);
    expect(error).toMatchObject({ platformCode: 131_026, isRetryable: false });
    expect(error.platformMessage).toEqual(expect.any(String));
    expect(await stack.tries(error.messageId)).toHaveLength(1);
    expect(answers).toHaveLength(1);
  });

  it('does not wait for a window that ends too late', async () => {
    const { key } = await addApiKey(stack, { dailyLimit: 1 });
    const parley = clientOf(key, { retryWaitMaxSeconds: 0.5 });
    await parley.sendButtons(message());
    const error = await refusalOf(parley.sendButtons(message()), RateLimitError);
    expect(error.code).toBe('DAILY_LIMIT_EXCEEDED');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
  });

  describe('repeats', () => {
    let server: Server;
    let requests: { headers: Record<string, unknown>; at: number }[];

    async function answering(...answer: RequestListener[]): Promise<string> {
      requests = [];
      server = createServer((request, response) => {
        requests.push({ headers: request.headers, at: performance.now() });
        (answer[requests.length - 1] ?? answer.at(-1))?.(request, response);
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }

    afterEach(async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    });

    const json =
      (status: number, body: object, headers: Record<string, string> = {}): RequestListener =>
      (_, response) =>
        response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify(body));
    const sent = json(200, { success: true, data: { message_id: 'm', status: 'sent' }, meta: {} });
    const busy = (seconds: string) =>
      json(
        503,
        { error: { code: 'SERVICE_UNAVAILABLE', message: 'later' }, meta: {} },
        { 'retry-after': seconds },
      );
    const cut: RequestListener = (request) => request.socket.destroy();

    it('what may succeed later: after Retry-After, under the same key, with a new signature', async () => {
      const baseUrl = await answering(busy('1'), cut, sent);
      const parley = clientOf(undefined, { baseUrl, signingSecret: 'sgsec_AAAA' });
      expect(await parley.sendButtons(message())).toMatchObject({ status: 'sent' });
      expect(requests).toHaveLength(3);
      expect((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0)).toBeGreaterThan(950);
      const different = (name: string) =>
        new Set(requests.map(({ headers }) => headers[name])).size;
      expect(different('idempotency-key')).toBe(1);
      expect(different('x-nonce')).toBe(3);
      expect(different('x-signature')).toBe(3);
    });

    it('only as often as it is allowed to', async () => {
      const baseUrl = await answering(busy('0'));
      const work = clientOf(undefined, { baseUrl, retriesMax: 2 }).sendButtons(message());
      expect((await refusalOf(work, ParleyError)).code).toBe('SERVICE_UNAVAILABLE');
      expect(requests).toHaveLength(3);
    });

    it('nothing once the caller has given up', async () => {
      const baseUrl = await answering(busy('30'));
      const work = clientOf(undefined, { baseUrl }).sendButtons(message(), {
        signal: AbortSignal.timeout(200),
      });
      await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
      expect(requests).toHaveLength(1);
    });

    it('and names the key to retry with when Parley did not answer', async () => {
      const baseUrl = await answering((_, response) => response.writeHead(502).end('<html>'));
      const work = clientOf(undefined, { baseUrl, retriesMax: 0 }).sendButtons(message());
      const error = await refusalOf(work, ConnectionError);
      expect(error.idempotencyKey).toBe(requests[0]?.headers['idempotency-key']);
    });
  });

  describe('on the receiving side', () => {
    it('verifies what Parley posts, and returns the event', async () => {
      const receiver = await WebhookReceiver.start();
      const { key, secret } = await addWebhookKey(stack, receiver.url('/client'));
      const { message_id } = await clientOf(key).sendButtons({ ...message(), reference: 'order' });
      await until(() => receiver.at('/client').length >= 3);
      const events = receiver
        .at('/client')
        .map(({ headers, raw }) => verifyWebhook(secret, headers, raw));
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      const statuses = events.map(({ event }) =>
        event.event === 'message.status' ? [event.data.message_id, event.data.status] : null,
      );
      expect(statuses).toEqual(
        expect.arrayContaining([
          [message_id, 'sent'],
          [message_id, 'delivered'],
          [message_id, 'read'],
        ]),
      );
      await receiver.close();
    });

    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const body = '{"test": 2432232314}';
    const now = new Date(1_614_265_330_000);

    it('agrees with the vector of Standard Webhooks, in every form', () => {
      const others = {
        ...headers,
        'webhook-signature': `v1a,xx v1,AAAA ${headers['webhook-signature']}`,
      };
      for (const given of [headers, new Headers(headers), others]) {
        for (const secrets of [secret, ['whsec_AAAA', secret]]) {
          for (const text of [body, Buffer.from(body)]) {
            expect(verifyWebhook(secrets, given, text, { now }).id).toBe(headers['webhook-id']);
          }
        }
      }
    });

    it.each([
      ['headers', {}, body, now],
      ['headers', { ...headers, 'webhook-timestamp': '1e9' }, body, now],
      ['timestamp', headers, body, new Date(now.getTime() + 301_000)],
      ['timestamp', headers, body, new Date(now.getTime() - 301_000)],
      ['signature', headers, `${body} `, now],
      ['signature', { ...headers, 'webhook-id': 'another' }, body, now],
      ['signature', { ...headers, 'webhook-signature': 'v1,' }, body, now],
    ])('refuses a forged webhook for its %s', (reason, given, text, at) => {
      const verify = () => verifyWebhook(secret, given, text, { now: at });
      expect(verify).toThrow(WebhookRefusedError);
      expect(verify).toThrow(expect.objectContaining({ reason }));
    });
  });
});
