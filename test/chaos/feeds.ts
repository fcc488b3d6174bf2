import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { webhookId } from '../../src/deliveries/attempts/event-signature.js';
import { until } from '../support/until.js';
import type { ChaosInstallation, FaultContext } from './installation.js';
import { findMissing } from './webhook-endpoints.js';

/** How long a transaction with events stays open while others commit. */
const lateMs = 400;

/** A key with three endpoints and a feed sends, a reader follows the feed, and processes are killed. */
export async function readFeed({ chaos, times, phase }: FaultContext): Promise<void> {
  await chaos.ready();
  const paths = { well: '/F21-well', dead: '/F21-dead', slow: '/F21-slow' };
  chaos.receiver.react(paths.dead, () => ({ status: 500 }));
  chaos.receiver.react(paths.slow, () => ({ status: 200, delayMs: 20 }));
  const { api_key, key } = await chaos.operator.newKey({
    webhook_url: chaos.receiver.url(paths.well),
    event_feed: true,
    rate_limit_per_minute: 1_000_000,
  });
  const endpoint = async (path: string, settings = {}) => {
    const body = { url: chaos.receiver.url(path), ...settings };
    const made = await chaos.operator.get('POST', `/api-keys/${api_key.id}/webhooks`, body);
    return made.webhook.id as string;
  };
  const dead = await endpoint(paths.dead);
  const slow = await endpoint(paths.slow, { max_in_flight: 2 });
  const reader = new Reader(chaos, key);
  const load = chaos.load('F21-feed', { apiKey: key });
  for (let round = 0; round < times; round += 1) {
    await chaos.ready();
    await chaos.accepts(load, 40);
    await Promise.all([chaos.killOne(phase), commitLate(chaos, api_key.id)]);
  }
  phase.sent.push(...(await load.stop()));
  await chaos.ready();
  // It gets one event at a time, and would not come to an end.
  await chaos.operator.get('DELETE', `/api-keys/${api_key.id}/webhooks/${dead}`);
  phase.afterwards.push(async () => [
    ...(await reader.findFaults(api_key.id)),
    ...(await findMissing(chaos, paths.well, api_key.id)),
    ...(await findMissing(chaos, paths.slow, api_key.id, slow)),
  ]);
}

/** Holds back a transaction that has written events: it waits for a row, and later ones overtake it. */
async function commitLate(chaos: ChaosInstallation, keyId: string): Promise<void> {
  const client = new Client({ connectionString: chaos.postgres.url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('begin');
    await client.query(
      `select id from messages where api_key_id = $1 and status = 'sent'
       order by id desc limit 3 for update skip locked`,
      [keyId],
    );
    await pause(lateMs);
  } catch {
    // Without it the round has one kill, and nothing late.
  } finally {
    await client.end().catch(() => {});
  }
}

const types = 'message.status,message.received';

/** Reads a feed for as long as the phase lasts, from whatever API answers, and goes on where it was. */
class Reader {
  private readonly ids: string[] = [];
  private cursor = '';
  private isOver = false;
  private readonly reading: Promise<void>;

  constructor(
    private readonly chaos: ChaosInstallation,
    private readonly apiKey: string,
  ) {
    this.reading = this.read();
  }

  /** What was left out, came twice, or came too early. */
  async findFaults(keyId: string): Promise<string[]> {
    const told = await this.chaos.postgres.sql<{ event_id: string }>(
      `select event_id from open_events where endpoint_id = $1
       union select event_id from done_events where endpoint_id = $1`,
      [keyId],
    );
    const due = new Set(told.map(({ event_id }) => webhookId(event_id)));
    await until(() => this.ids.length >= due.size, 20_000).catch(() => {});
    this.isOver = true;
    await this.reading;
    const read = new Set(this.ids);
    const twice = this.ids.length - read.size;
    const kept = await this.chaos.postgres.sql<{ id: string }>(
      `select id from feed_events where api_key_id = $1 and type = any (string_to_array($2, ','))
       order by xid, id`,
      [keyId, types],
    );
    const inOrder = kept.map(({ id }) => webhookId(id)).filter((id) => read.has(id));
    const early = inOrder.findIndex((id, index) => id !== this.ids[index]);
    return [
      ...(due.size === 0 ? ['I16 there were no events'] : []),
      ...[...due].filter((id) => !read.has(id)).map((id) => `I16 the feed left ${id} out`),
      ...[...read].filter((id) => !due.has(id)).map((id) => `I16 ${id} is only in the feed`),
      ...(early >= 0 ? [`I16 ${this.ids[early]} came in another order than the feed has it`] : []),
      ...(twice > 0 ? [`I16 the feed had ${twice} events twice`] : []),
    ];
  }

  private async read(): Promise<void> {
    for (let tries = 0; !this.isOver; tries += 1) {
      const query = `?limit=50&wait=1&types=${types}${this.cursor && `&cursor=${this.cursor}`}`;
      const answer = await this.chaos.stack
        .request(`/events${query}`, { apiKey: this.apiKey, api: tries % 2 })
        .catch(() => null);
      if (answer?.status === 200) {
        const { events, next_cursor } = answer.body.data;
        this.ids.push(...events.map(({ id }: { id: string }) => id));
        this.cursor = next_cursor;
      } else await pause(50);
    }
  }
}
