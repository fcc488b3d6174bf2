import type { TestingModule } from '@nestjs/testing';
import { newId } from '../../src/database/ids.js';
import { EventSettlement } from '../../src/deliveries/event-settlement.js';
import { EndpointLeases } from '../../src/deliveries/leases/endpoint-leases.js';
import { firstMark, markAt, OpenEvents } from '../../src/deliveries/open-events.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { openModule } from '../support/module.js';

describe('events and leases in PostgreSQL', () => {
  let database: TestDatabase;
  let module: TestingModule;
  let leases: EndpointLeases;
  let events: OpenEvents;
  let settlement: EventSettlement;
  let key: string;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    module = await openModule({
      databaseUrl: database.url,
      providers: [EndpointLeases, EventSettlement, OpenEvents],
    });
    leases = module.get(EndpointLeases);
    events = module.get(OpenEvents);
    settlement = module.get(EventSettlement);
    const [row] = await database.sql(
      `update webhook_endpoints set url = 'http://127.0.0.1:1/'
       where id = (select id from api_keys limit 1) returning id`,
    );
    key = row.id;
  });

  beforeEach(async () => {
    await database.empty('open_events, endpoint_leases, webhook_failures');
    await database.sql('delete from done_events');
  });

  afterAll(async () => {
    await module?.close();
    await database?.drop();
  });

  /** Adds an event. @param dueIn seconds from now. */
  async function addEvent(change: { dueIn?: number; endpoint?: string } = {}): Promise<string> {
    const id = newId();
    await database.sql(
      `insert into open_events (id, event_id, endpoint_id, due_at, account_id, mode, type, body)
       values ($1, $2, $3, now() + make_interval(secs => $4), $5, 'live', 'message.status', '{}')`,
      [id, newId(), change.endpoint ?? key, change.dueIn ?? 0, installation.accountId],
    );
    return id;
  }

  const url = 'http://127.0.0.1:1/';
  const attempt = { startedAt: new Date(), durationMs: 3, statusCode: 200, response: 'ok', url };
  const fail = (id: string, change = {}) =>
    settlement.fail({
      ...attempt,
      id,
      endpointId: key,
      statusCode: 500,
      error: 'http_500',
      retryInMs: 1_000,
      isFinal: false,
      ...change,
    });
  const open = async (id: string) =>
    (await database.sql('select * from open_events where id = $1', [id]))[0];
  const done = async (id: string) =>
    (await database.sql('select * from done_events where id = $1', [id]))[0];
  const take = async () => {
    const [answer] = await leases.takeLeases([key]);
    if (!answer) throw new Error('a lease without an answer');
    return answer;
  };

  describe('an event that the key of its endpoint may not read', () => {
    const allow = (permissions: readonly string[]) =>
      database.sql('update api_keys set permissions = $2 where id = $1', [key, permissions]);

    it('fails, and waits as before where the key has the permission again', async () => {
      const [{ permissions }] = await database.sql(
        'select permissions from api_keys where id = $1',
        [key],
      );
      const other = newId();
      await database.sql(
        `insert into webhook_endpoints (id, api_key_id, account_id, mode, name, secret, url)
         select $1, id, account_id, mode, 'crm', '', $3 from api_keys where id = $2`,
        [other, key, url],
      );
      const id = await addEvent({ endpoint: other });
      await allow(['view_messages']);
      expect(await settlement.withhold(id, 'view_messages')).toBe(false);
      expect(await open(id)).toBeDefined();
      await allow(['manage_webhooks']);
      expect(await settlement.withhold(id, 'view_messages')).toBe(true);
      expect(await open(id)).toBeUndefined();
      expect(await done(id)).toMatchObject({ status: 'failed', error: 'permission_missing' });
      // The default endpoint, whose address a person sets, gets it whatever the key may read.
      const kept = await addEvent();
      expect(await settlement.withhold(kept, 'view_messages')).toBe(false);
      await allow(permissions);
    });
  });

  describe('a lease', () => {
    it('is held by one worker at a time; others learn when it ends', async () => {
      const first = await take();
      const second = await take();
      expect(first).toMatchObject({ term: expect.any(String), refusedMs: null, isOff: false });
      expect(second.term).toBeNull();
      expect(second.refusedMs).toBeGreaterThan(1_000);
      expect(second.refusedMs).toBeLessThanOrEqual(3_000);
    });

    it('is lost for good when another worker took it after its end', async () => {
      const first = await take();
      await database.sql('update endpoint_leases set until = now()');
      const second = await take();
      expect(second.term).not.toBe(first.term);
      const renew = (term: string | null) => leases.renew([{ endpointId: key, term: term ?? '' }]);
      expect(await renew(first.term)).toEqual([]);
      expect(await renew(second.term)).toMatchObject([{ endpointId: key }]);
    });

    it('that ends implausibly late counts as over', async () => {
      await take();
      await database.sql(`update endpoint_leases set until = now() + interval '1 hour'`);
      expect((await take()).term).not.toBeNull();
    });

    it('goes to one of two workers that take it at once', async () => {
      for (let round = 0; round < 20; round += 1) {
        await database.sql('update endpoint_leases set until = now()');
        const answers = await Promise.all([take(), take(), take()]);
        expect(answers.filter(({ term }) => term !== null)).toHaveLength(1);
      }
    });

    it('is handed over with what is still under way', async () => {
      const { term } = await take();
      const busy = [newId(), newId()];
      await leases.release([{ endpointId: key, term: term ?? '' }], () => busy, 16_000);
      const next = await take();
      expect(next.busy).toEqual(busy);
      expect(next.busyMs).toBeGreaterThan(10_000);
      await database.sql(`update endpoint_leases set until = now(), busy_until = now()`);
      expect((await take()).busy).toBeNull();
    });

    it('comes with where events go now', async () => {
      const { term } = await take();
      await database.sql(`insert into webhook_failures values ($1, 3, now())`, [key]);
      const [renewed] = await leases.renew([{ endpointId: key, term: term ?? '' }]);
      expect(renewed).toMatchObject({ url: 'http://127.0.0.1:1/', isFailing: true });
    });
  });

  describe('events', () => {
    const read = (after = firstMark, limit = 10, inHand: string[] = []) =>
      events.read([{ endpointId: key, after, limit }], inHand);
    const idsOf = (found: { id: string }[]) => found.map(({ id }) => id);

    it('are read in the order in which they are due, and not before', async () => {
      const later = await addEvent({ dueIn: -1 });
      const earlier = await addEvent({ dueIn: -2 });
      await addEvent({ dueIn: 60 });
      await addEvent({ endpoint: newId() });
      expect(idsOf(await read())).toEqual([earlier, later]);
    });

    it('are read on from the last one, without those in hand', async () => {
      const ids: string[] = [];
      for (let dueIn = -4; dueIn < 0; dueIn += 1) ids.push(await addEvent({ dueIn }));
      const [first] = await read(firstMark, 1);
      expect(first?.id).toBe(ids[0]);
      expect(idsOf(await read(first?.mark, 10, [ids[2] ?? '']))).toEqual([ids[1], ids[3]]);
      expect(idsOf(await read(markAt((first?.mark.dueMs ?? 0) + 0), 1))).toEqual([ids[0]]);
    });

    it('that are due at the same time are each read once, however many there are', async () => {
      await database.sql(
        `insert into open_events (id, event_id, endpoint_id, account_id, mode, type, body)
         select gen_random_uuid(), gen_random_uuid(), $1, $2, 'live', 'message.status', '{}'
         from generate_series(1, 25)`,
        [key, installation.accountId],
      );
      const seen = new Set<string>();
      let mark = firstMark;
      for (;;) {
        const found = await read(mark, 10);
        for (const { id } of found) seen.add(id);
        const last = found.at(-1);
        if (!last) break;
        mark = last.mark;
      }
      expect(seen.size).toBe(25);
    });

    it('of endpoints without a worker are found, one look at each endpoint', async () => {
      const [other, later] = [newId(), newId()];
      await addEvent();
      await addEvent({ endpoint: other });
      await addEvent({ endpoint: later, dueIn: 60 });
      const unowned = async () =>
        new Map((await events.unowned()).map(({ endpointId, dueInMs }) => [endpointId, dueInMs]));
      const found = await unowned();
      expect(new Set(found.keys())).toEqual(new Set([key, other, later]));
      expect(found.get(other)).toBeLessThanOrEqual(0);
      expect(found.get(later)).toBeGreaterThan(0);
      await take();
      expect((await unowned()).has(key)).toBe(false);
    });

    it('that are due again are reported when the lease is renewed and when it ends', async () => {
      const held = await take();
      const lease = { endpointId: key, term: held.term ?? '' };
      const id = await addEvent({ dueIn: 60 });
      expect(await leases.renew([lease])).toMatchObject([{ retryDueMs: null }]);
      const dueAt = async (change: string) =>
        Number(
          (
            await database.sql(
              `update open_events set attempts = 1, due_at = now() ${change} where id = $1
               returning extract(epoch from due_at) * 1000 as ms`,
              [id],
            )
          )[0].ms,
        );
      const ms = await dueAt(`- interval '1 second'`);
      expect(await leases.renew([lease])).toMatchObject([{ retryDueMs: Math.floor(ms) }]);
      await dueAt(`+ interval '1 hour'`);
      expect(await leases.release([lease], () => [], 0)).toBeGreaterThan(0);
    });
  });

  describe('a lease', () => {
    it('that expires is found; one that is given back or still lasts is not', async () => {
      const held = await take();
      expect(await leases.lapsed()).toEqual([]);
      await database.sql('update endpoint_leases set until = clock_timestamp()');
      expect(await leases.lapsed()).toEqual([key]);
      const lease = { endpointId: key, term: held.term ?? '' };
      await leases.release([lease], () => [], 0);
      expect(await leases.lapsed()).toEqual([]);
    });
  });

  describe('an attempt', () => {
    it('that succeeded moves the event to the log with its body and its id', async () => {
      const id = await addEvent();
      const before = await open(id);
      await settlement.finish({ ...attempt, id, number: 1 });
      expect(await open(id)).toBeUndefined();
      expect(await done(id)).toMatchObject({
        event_id: before.event_id,
        body: before.body,
        status: 'succeeded',
        attempts: 1,
        last_status: 200,
        last_response: 'ok',
        last_url: url,
        log: null,
      });
    });

    it('that failed puts the event off, and counts its tries in the row', async () => {
      const id = await addEvent();
      const outcome = await fail(id);
      expect(outcome).toMatchObject({ isEndpointSpent: false, dueMs: expect.any(Number) });
      expect(await open(id)).toMatchObject({
        attempts: 1,
        error: 'http_500',
        log: [{ number: 1, status_code: 500, error: 'http_500' }],
      });
    });

    it('that was the last of the schedule gives the event up', async () => {
      const id = await addEvent();
      await database.sql('update open_events set attempts = 9 where id = $1', [id]);
      expect(await fail(id)).toMatchObject({ dueMs: null });
      expect(await open(id)).toBeUndefined();
      expect(await done(id)).toMatchObject({ status: 'failed', attempts: 10, last_status: 500 });
    });

    it('does not give up an event that was asked for again in the meantime', async () => {
      const id = await addEvent();
      await database.sql('update open_events set attempts = 9, attempts_before = 9 where id = $1', [
        id,
      ]);
      expect(await fail(id, { retryInMs: null })).toMatchObject({ dueMs: expect.any(Number) });
      expect(await open(id)).toMatchObject({ attempts: 10, attempts_before: 9 });
    });

    it('from before a redelivery does not finish it when its success comes late', async () => {
      const id = await addEvent();
      await database.sql('update open_events set attempts = 2, attempts_before = 2 where id = $1', [
        id,
      ]);
      await settlement.finish({ ...attempt, id, number: 2 });
      expect(await open(id)).toMatchObject({ attempts: 2 });
      await settlement.finish({ ...attempt, id, number: 3 });
      expect(await open(id)).toBeUndefined();
    });

    it('is counted even when it is not one of the forty that the log keeps', async () => {
      const id = await addEvent();
      for (let number = 1; number <= 45; number += 1) {
        await database.sql('update open_events set attempts_before = attempts where id = $1', [id]);
        await fail(id);
      }
      const row = await open(id);
      expect(row.attempts).toBe(45);
      expect(row.log).toHaveLength(40);
      expect(row.log[39]).toMatchObject({ number: 45 });
    });

    it('that failed counts against its endpoint until it works again', async () => {
      await fail(await addEvent());
      await fail(await addEvent());
      const failures = () => database.sql('select failures from webhook_failures');
      expect(await failures()).toEqual([{ failures: 2 }]);
      await database.sql(
        `update webhook_failures set failures = 11, since = now() - interval '121 hours'`,
      );
      expect(await fail(await addEvent())).toMatchObject({ isEndpointSpent: true });
      await settlement.forgetFailures(key);
      expect(await failures()).toEqual([]);
    });

    it('that failed for a minute or longer leaves an alert that is over, one for troubles close together', async () => {
      const trouble = async (count: number, interval: string) => {
        await database.sql(`insert into webhook_failures values ($1, $2, now() - $3::interval)`, [
          key,
          count,
          interval,
        ]);
        await settlement.forgetFailures(key);
      };
      const alerts = () =>
        database.sql(
          `select kind, message, details->'failures' as failures, resolved_at - created_at > interval '1 minute' as is_long
           from alerts where subject = $1 and resolved_at is not null and not was_told order by id`,
          [key],
        );
      await database.empty('alerts');
      await trouble(2, '1 hour');
      await trouble(3, '50 seconds');
      expect(await alerts()).toEqual([]);
      await trouble(3, '2 minutes');
      const kept = {
        kind: 'endpoint_failed',
        message: expect.stringMatching(
          /^The webhook of the API key “.+” failed\. It works again\.$/,
        ),
        failures: 3,
        is_long: true,
      };
      expect(await alerts()).toEqual([kept]);
      await trouble(40, '5 minutes');
      expect(await alerts()).toEqual([{ ...kept, failures: 43 }]);
      await database.sql(
        `update alerts set resolved_at = now() - interval '20 minutes' where subject = $1`,
        [key],
      );
      await trouble(4, '2 minutes');
      expect(await alerts()).toEqual([
        { ...kept, failures: 43, is_long: expect.any(Boolean) },
        { ...kept, failures: 4 },
      ]);
    });
  });

  it('waiting events are given up only when their endpoint is off or gone', async () => {
    const id = await addEvent({ dueIn: 60 });
    expect(await settlement.giveUpAll(key)).toBe(false);
    expect(await open(id)).toBeDefined();
    await database.sql('update webhook_endpoints set disabled_at = now() where id = $1', [key]);
    expect(await settlement.giveUpAll(key)).toBe(true);
    expect(await done(id)).toMatchObject({ status: 'failed', error: 'endpoint_off', attempts: 0 });
    await database.sql('update webhook_endpoints set disabled_at = null where id = $1', [key]);
    const gone = newId();
    const lost = await addEvent({ endpoint: gone });
    expect(await settlement.giveUpAll(gone)).toBe(true);
    expect(await done(lost)).toMatchObject({ error: 'no_endpoint' });
  });
});
