import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EndpointEntity } from '../../endpoints/endpoint.entity.js';
import { EndpointRecords } from '../../endpoints/endpoint-records.js';
import { WebhookClient } from '../attempts/webhook-client.js';

const timeoutMs = 5_000;

/**
 * Asks endpoints of WhatsApp's own form for their challenge, as WhatsApp asks a webhook when it is set up:
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started#verification-requests
 * The endpoint works whatever comes of it.
 */
@Injectable()
export class EndpointHandshakes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly records: EndpointRecords,
    private readonly client: WebhookClient,
  ) {}

  /** Asks an endpoint that has a verify token, after what is known of it is committed. @returns it as it is then. */
  async shake(endpoint: EndpointEntity): Promise<EndpointEntity> {
    const { manager } = this.dataSource;
    const token = this.records.verifyTokenOf(endpoint);
    if (token === null || endpoint.url === null) return endpoint;
    const challenge = String(randomInt(1_000_000_000, 10_000_000_000));
    const url = new URL(endpoint.url);
    const asked = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': token,
      'hub.challenge': challenge,
    }).toString();
    // Through `searchParams` the endpoint's own query would be written anew: `%20` as `+`, `flag` as `flag=`.
    url.search = url.search === '' ? asked : `${url.search}&${asked}`;
    const { statusCode, response } = await this.client.get(url.href, timeoutMs);
    const isTaken = statusCode !== null && statusCode >= 200 && statusCode < 300;
    const isAnswered = isTaken && response?.trim() === challenge;
    const state = isAnswered ? 'answered' : statusCode === null ? 'failed' : 'refused';
    await this.records.noteHandshake(manager, endpoint, state);
    return manager.findOneByOrFail(EndpointEntity, { id: endpoint.id });
  }
}
