import { Config } from '../../src/config/config.js';
import {
  LeaseEndedError,
  WebhookClient,
} from '../../src/webhooks/deliveries/attempts/webhook-client.js';
import { installation } from '../support/installation.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

describe('a request to a webhook', () => {
  let receiver: WebhookReceiver;
  let client: WebhookClient;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    client = new WebhookClient(
      new Config({
        DATABASE_URL: 'postgres://127.0.0.1/none',
        SECRET_KEY: installation.secretKey,
        WEBHOOK_ALLOW_PRIVATE: 'true',
      }),
    );
  });

  afterAll(async () => {
    await client.onApplicationShutdown();
    await receiver.close();
  });

  it('is not written when the lease ends while the connection is made', async () => {
    let isOwned = true;
    const post = client.post(receiver.url('/late'), {}, '{}', () => isOwned);
    isOwned = false;
    await expect(post).rejects.toBeInstanceOf(LeaseEndedError);
    expect(receiver.at('/late')).toEqual([]);
  });

  it('is written when the lease lasts', async () => {
    const answer = await client.post(receiver.url('/owned'), {}, '{}', () => true);
    expect([answer.statusCode, receiver.at('/owned')]).toEqual([200, [expect.anything()]]);
  });
});
