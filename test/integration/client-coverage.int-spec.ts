import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Parley, type WebhookEvent } from '../../clients/typescript/src/index.js';
import { apiDocuments } from '../support/api-document.js';

const { 'openapi.json': document } = apiDocuments;

const id = '019ac0f4-2b1e-7c51-9d0e-4f1f6c1b7a01';

/** Events that the client's type knows. */
const events: Record<WebhookEvent['event'], true> = {
  'alert.raised': true,
  'alert.resolved': true,
  'campaign.status': true,
  'contact.changed': true,
  'contact.consent': true,
  'message.echo': true,
  'message.received': true,
  'message.standby': true,
  'message.status': true,
  'webhook.test': true,
};

describe('the TypeScript client', () => {
  it('has a method for every operation', async () => {
    const called = new Set<string>();
    const routes = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        name: `${method.toUpperCase()} ${path}`,
        form: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      })),
    );
    const server = createServer((request, response) => {
      const call = `${request.method} ${request.url?.split('?')[0]}`;
      const found = routes.filter(({ form }) => form.test(call)).map(({ name }) => name);
      called.add(found.toSorted((one, other) => one.indexOf('{') - other.indexOf('{'))[0] ?? call);
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ success: true, data: {}, meta: {} }));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const parley: any = new Parley({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k' });
    const sends = Object.getOwnPropertyNames(Parley.prototype).filter((name) =>
      /^send[A-Z]/.test(name),
    );
    for (const name of sends) await parley[name]({});
    for (const name of ['listMessages', 'listContacts', 'listTemplates', 'listEvents']) {
      await parley[name]();
    }
    for (const name of ['listCampaigns', 'listWebhooks']) await parley[name]();
    for (const name of ['getMessage', 'cancelMessage', 'getContact', 'getMedia', 'getCampaign']) {
      await parley[name](id);
    }
    for (const name of ['estimateCampaign', 'listCampaignRecipients', 'retryCampaign']) {
      await parley[name](id);
    }
    for (const action of ['start', 'pause', 'resume', 'cancel']) {
      await parley.steerCampaign(id, action);
    }
    for (const name of ['getWebhook', 'deleteWebhook', 'enableWebhook', 'testWebhook']) {
      await parley[name](id);
    }
    await parley.rotateWebhookSecret(id);
    await parley.recoverWebhook(id, new Date());
    await parley.updateWebhook(id, {});
    await parley.createWebhook({});
    await parley.moveMessage(id, new Date());
    await parley.markRead('wamid.X');
    await parley.createCampaign({});
    await parley.addRecipients(id, []);
    await parley.contactWindow({ phone: '+14155550123' });
    await parley.getConsent({ phone: '+14155550123' });
    await parley.setConsent({});
    await parley.importConsent([]);
    await parley.uploadMedia(new Blob(['a'], { type: 'application/pdf' }));
    server.close();
    expect([...called].toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
  });

  it('knows every event', () => {
    expect(Object.keys(events)).toEqual(Object.keys(document.webhooks));
  });
});
