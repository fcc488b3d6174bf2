import { readFileSync, writeFileSync } from 'node:fs';
import { dayMs } from '#libs/durations';
import { exampleIds, recordedPath, requestExamples } from '../../scripts/openapi/examples.js';
import { apiDocuments, holdEventToDocument } from '../support/api-document.js';
import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { Stack } from '../support/stack.js';
import { map, sync } from '../support/templates.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { demoNumber, notify, qualityNotification } from '../support/webhooks.js';

const { 'openapi.json': document } = apiDocuments;

const operations = new Map(
  Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => [
      operation.operationId as string,
      { method: method.toUpperCase(), path },
    ]),
  ),
);

const isUpdate = process.env.UPDATE_EXAMPLES === '1';
const recorded: any = JSON.parse(readFileSync(recordedPath, 'utf8'));
const from = '14155550123';
const otherId = 'US.13491208655302741918';

/** A value as the document may show it: the same at each recording, as far as it need not be real. */
function shown(value: any): any {
  const text = JSON.stringify(value)
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/examples/g, exampleIds.receiver)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://parley.example.com');
  return JSON.parse(text, (name, part) => {
    // In a template's components; linters take it for a part of the document.
    if (name === 'example') return undefined;
    if (name === 'rate_limit') return { ...part, limit: 60, remaining: 59 };
    return Array.isArray(part) ? part.slice(0, 2) : part;
  });
}

/** The members of an answer that differ from those of the recorded one, by their paths. */
function differences(was: any, is: any, path = ''): string[] {
  if (Array.isArray(was) && Array.isArray(is)) {
    return was.length > 0 && is.length > 0 ? differences(was[0], is[0], `${path}[]`) : [];
  }
  if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) return [];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) =>
    name in was && name in is
      ? differences(was[name], is[name], `${path}.${name}`)
      : [`${path}.${name}`],
  );
}

describe('the examples of the document', () => {
  let stack: Stack;
  let receiver: WebhookReceiver;
  let operator: Dashboard;
  let apiKey: string;
  const answers: Record<string, any> = {};
  /** What stands in the place of the examples' ids. */
  const real: Record<keyof typeof exampleIds, string> = { ...exampleIds };

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([
      Stack.start({ webhooks: true }),
      WebhookReceiver.start(),
    ]);
    operator = await Dashboard.signIn(stack);
    let keyId: string;
    ({ id: keyId, key: apiKey } = await addApiKey(stack));
    await operator.get('PATCH', `/api-keys/${keyId}`, { event_feed: true });
    await sync(operator);
    await map(operator, keyId, 'order_confirmation', {
      name: { component: 'body', position: 1, required: true },
      order: { component: 'body', position: 2, required: true },
      day: { component: 'body', position: 3, required: true },
      path: { component: 'button', button_index: 0, position: 1, required: true },
    });
    real.receiver = receiver.url('/examples');
    real.sendAt = new Date(Date.now() + dayMs).toISOString();
    await stack.control('PUT', 'users', { phone: from, user_id: otherId });
    await inbound({ text: 'Where is my parcel?', name: 'Mia Jung' });
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
    if (isUpdate) {
      // The first of each event.
      const bodies = eventsThere().map((body) => [body.event, shown(body)]);
      const events = Object.fromEntries(bodies.toReversed());
      writeFileSync(recordedPath, `${JSON.stringify({ answers, events }, null, 2)}\n`);
    }
  });

  /** What the user writes. @returns WhatsApp's id of the message. */
  const inbound = async (change: object): Promise<string> => {
    const answer = await stack.control('POST', 'inbound', {
      from,
      phone_number_id: demoNumber.phoneNumberId,
      ...change,
    });
    return answer.id ?? answer.message_id;
  };

  /** Calls an operation with real ids, and keeps its first answer. */
  async function call(id: string, { body, query = '' }: { body?: any; query?: string } = {}) {
    const { method, path } = operations.get(id) ?? { method: '', path: '' };
    const [, part = ''] = /^\/api\/v1\/external\/([a-z]+)/.exec(path) ?? [];
    const ids: Record<string, string> = {
      campaigns: real.campaign,
      contacts: real.contact,
      webhooks: real.webhook,
      media: real.media,
    };
    const address = path.replace('{id}', ids[part] ?? '').replace('{uuid}', real.message);
    const given = Object.entries(exampleIds).reduce(
      (text, [name, example]) => text.replaceAll(example, real[name as keyof typeof real]),
      JSON.stringify(body) ?? '',
    );
    const isForm = body instanceof FormData;
    const answer = await stack.requestAt(`${address}${query}`, {
      apiKey,
      method,
      ...(given !== '' && !isForm && { body: JSON.parse(given) }),
    });
    const { meta: _, ...rest } = answer.body ?? {};
    expect([id, rest.error ?? null, [200, 202].includes(answer.status)]).toEqual([id, null, true]);
    if (answer.status === 200) answers[id] ??= shown(answer.body);
    return answer.body.data;
  }

  const examplesOf = (id: string) => Object.values(requestExamples[id] ?? {});

  async function sendAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) for (const body of examplesOf(id)) await call(id, { body });
  }

  /** Events of Parley that came; the endpoint in WhatsApp's own form has the same address. */
  const eventsThere = () =>
    receiver.at('/examples').flatMap(({ body }) => ('event' in body ? [body] : []));

  /** The events that the receiver has not got yet. */
  const missing = () => {
    const came = new Set(eventsThere().map(({ event }) => event));
    return Object.keys(document.webhooks).filter((name) => !came.has(name));
  };

  it('exist for every body in JSON', () => {
    const wanted: string[] = Object.values<any>(document.paths)
      .flatMap((methods) => Object.values<any>(methods))
      .filter(({ requestBody }) => requestBody?.content['application/json'])
      .map(({ operationId }) => operationId);
    expect(Object.keys(requestExamples).toSorted()).toEqual(wanted.toSorted());
  });

  it('name webhooks that work', async () => {
    await sendAll(['createWebhook']);
    const [first, second] = (await call('listWebhooks')).webhooks.filter(
      ({ name }: any) => name !== 'default',
    );
    real.webhook = (first.statuses === null ? first : second).id;
    await stack.request('/webhooks', {
      apiKey,
      body: {
        url: receiver.url('/examples'),
        name: 'All',
        scope: 'account',
        events: [
          'message.echo',
          'message.standby',
          'message.received',
          'contact.changed',
          'contact.consent',
          'campaign.status',
          'alert.raised',
          'alert.resolved',
        ],
      },
    });
    await sendAll(['updateWebhook']);
    await call('getWebhook');
    await call('testWebhook');
    await call('enableWebhook');
  });

  it('upload, send and read files and messages', async () => {
    const form = new FormData();
    form.append('file', new Blob([`%PDF-1.4\n`], { type: 'application/pdf' }), 'invoice.pdf');
    const response = await fetch(`${stack.apis[0]?.url}/api/v1/external/media`, {
      method: 'POST',
      headers: { 'X-API-Key': apiKey },
      body: form,
    });
    const uploaded: any = await response.json();
    answers.uploadMedia = shown(uploaded);
    real.media = uploaded.data.media_id;
    real.received = await inbound({ text: 'And when?' });
    await until(
      async () => (await stack.get('/contacts', { apiKey })).body.data.contacts.length > 0,
    );
    const { uploadMedia: _, ...rest } = requestExamples;
    const sends = Object.keys(rest).filter(
      (id) => id.startsWith('send') && id !== 'sendReactionMessage',
    );
    await sendAll([...sends, 'sendReactionMessage', 'markMessageRead']);
    const [sent] = (await call('listMessages')).messages;
    real.message = sent.id ?? sent.message_id;
    await call('getMessage');
    const later = examplesOf('sendTextMessage').find((body: any) => 'send_at' in body);
    real.message = (await call('sendTextMessage', { body: later })).message_id;
    await sendAll(['updateMessage']);
    await call('cancelMessage');
    await call('listTemplates');
    await call('listEvents');
  });

  it('know the contact, the window and the consent', async () => {
    const [contact] = (await call('listContacts')).contacts;
    real.contact = contact.contact_id;
    await call('getContact');
    await call('getContactWindow', { query: '?phone=+14155550123' });
    await sendAll(['setConsent']);
    await call('getConsent', { query: '?phone=+14155550123' });
    await sendAll(['importConsent']);
    await stack.request('/contacts/consent', {
      apiKey,
      method: 'PUT',
      body: { phone: '+447700900142', scope: 'all', state: 'opted_in' },
    });
  });

  it('run a campaign, and retry it', async () => {
    const create = async () => {
      const made = await call('createCampaign', { body: examplesOf('createCampaign')[0] });
      real.campaign = made.campaign.id;
      await sendAll(['addCampaignRecipients']);
    };
    await stack.rules.add({
      match: { to: '447700900142' },
      fault: { code: 131026 },
      times: 1,
    });
    await create();
    await call('estimateCampaign');
    await call('startCampaign');
    await until(async () => (await call('getCampaign')).campaign.status === 'completed');
    await call('listCampaigns');
    await call('listCampaignRecipients');
    const [failed, rest] = examplesOf('retryCampaign');
    await call('retryCampaign', { body: failed });
    await create();
    await call('startCampaign');
    await call('pauseCampaign');
    await call('resumeCampaign');
    await call('cancelCampaign');
    await call('retryCampaign', { body: rest });
  });

  it('tell what others do', async () => {
    const place = { phone_number_id: demoNumber.phoneNumberId };
    await stack.control('POST', 'echoes', { to: `+${from}`, text: 'We are on our way', ...place });
    await stack.control('PUT', 'numbers', {
      ...place,
      business_account_id: demoNumber.businessAccountId,
      standby: true,
    });
    await inbound({ text: 'Are you there?' });
    await stack.control('PUT', 'numbers', {
      ...place,
      business_account_id: demoNumber.businessAccountId,
      standby: false,
    });
    await notify(stack, qualityNotification('FLAGGED'));
    await until(() => !missing().includes('alert.raised'));
    await notify(stack, qualityNotification('UNFLAGGED'));
    await stack.control('POST', 'users/change', { phone: from, new_phone: '14155550177' });
    await until(() => missing().length === 0).catch(() => {});
    expect(missing()).toEqual([]);
  });

  it('end with the webhook', async () => {
    await sendAll(['recoverWebhook']);
    await call('rotateWebhookSecret');
    await call('deleteWebhook');
    expect(Object.keys(answers).toSorted()).toEqual(
      [...operations.keys()].filter((id) => id !== 'downloadMedia').toSorted(),
    );
  });

  it('have the members of real answers and events; else UPDATE_EXAMPLES=1', () => {
    if (isUpdate) return;
    const found = Object.entries(answers).flatMap(([id, answer]) =>
      differences(recorded.answers[id]?.data, answer.data, id),
    );
    expect(found).toEqual([]);
    expect(Object.keys(recorded.answers).toSorted()).toEqual(Object.keys(answers).toSorted());
    for (const event of Object.values(recorded.events)) holdEventToDocument(event);
    expect(Object.keys(recorded.events).toSorted()).toEqual(Object.keys(document.webhooks));
  });
});
