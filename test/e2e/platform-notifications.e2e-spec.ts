import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard, neighbour } from '../support/dashboard.js';
import { installation, stores } from '../support/installation.js';
import { checkout } from '../support/npm-start.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import {
  addWebhookKey,
  change,
  demoNumber,
  newWamid,
  notification,
  notify,
  platformJson,
  platformSignature,
  textMessage,
} from '../support/webhooks.js';

const route = '/api/v1/platform/whatsapp/webhooks';

describe.each(stores)('notifications of the platform, over %s', (store) => {
  let stack: Stack;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await Stack.start({ store, apis: 2, env: { WEBHOOK_RETRY_SECONDS: '0.1,0.1' } });
  });

  afterAll(async () => {
    await stack?.stop();
    await receiver.close();
  });

  let hooks = 0;
  const newHook = () => `/${store}/${(hooks += 1)}`;
  const stored = async () =>
    Number((await stack.sql('select count(*) from platform_notifications'))[0].count);
  const processed = () =>
    until(async () => {
      const [row] = await stack.sql(
        'select count(*) filter (where processed_at is null) as open from platform_notifications',
      );
      return Number(row.open) === 0;
    });

  it('answers the handshake with the challenge as it came, as text', async () => {
    const query = 'hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=';
    const answer = await stack.requestAt(`${route}?${query}verify-token-of-the-tests`, {
      apiKey: null,
    });
    expect([answer.status, answer.text]).toEqual([200, '1158201444']);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect((await stack.requestAt(`${route}?${query}wrong`, { apiKey: null })).status).toBe(403);
    expect((await stack.requestAt(route, { apiKey: null })).status).toBe(403);
  });

  it('are refused with 401 unsigned or altered, and change nothing', async () => {
    const body = platformJson(notification({ messages: [textMessage()] }));
    const before = await stored();
    const signature = platformSignature(body);
    const answers = await Promise.all([
      notify(stack, body, { signature: null }),
      notify(stack, body, { signature: 'sha256=00' }),
      notify(stack, body, { secret: 'another secret' }),
      notify(stack, `${body} `, { signature }),
      // Parsed and written again: the platform escapes what JavaScript does not.
      notify(stack, notification({ messages: [textMessage({ text: { body: 'Grüße /' } })] }), {
        signature: platformSignature(
          JSON.stringify(notification({ messages: [textMessage({ text: { body: 'Grüße /' } })] })),
        ),
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(await stored()).toBe(before);
  });

  it.each([
    ['where the number’s id is expected', { phoneNumberId: 'a\0b' }],
    ['where the account’s id is expected', { businessAccountId: '\0' }],
    ['in what is no JSON', null],
  ])('with NUL %s hold up no other', async (_, number) => {
    const good = newWamid();
    await Promise.all([
      notify(
        stack,
        number === null
          ? '{"object":"\0'
          : notification({ messages: [textMessage()] }, { ...demoNumber, ...number }),
      ),
      notify(stack, notification({ messages: [textMessage({ id: good })] })),
    ]);
    await processed();
    const [last] = await stack.sql(
      'select max(attempts) as attempts from platform_notifications where received_at > now() - interval $$1 minute$$',
    );
    expect(last.attempts).toBe(1);
    await stack.sql(`update notification_events set state = 'done' where kind = 'notification'`);
  });

  it('are accepted up to 4 MiB', async () => {
    const padding = (bytes: number) =>
      notify(stack, notification({ messages: [], padding: 'x'.repeat(bytes) }));
    expect((await padding(4_000_000)).status).toBe(200);
    expect((await padding(4_300_000)).status).toBe(413);
  });

  it('count with every entry, change and message, each once, however often they come', async () => {
    const hook = newHook();
    const { id } = await addWebhookKey(stack, receiver.url(hook), { events: ['message.received'] });
    const messages = [textMessage(), textMessage(), textMessage()];
    const body = {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: demoNumber.businessAccountId,
          changes: [
            change({ messages: messages.slice(0, 2) }),
            change({ messages: messages.slice(2) }),
          ],
        },
      ],
    };
    const again = notification({ messages: [messages[2], messages[0]] });
    const answers = await Promise.all(
      [body, body, again, body].map((one, index) => notify(stack, one, { api: index % 2 })),
    );
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      Array.from({ length: 4 }, () => [200, 'EVENT_RECEIVED']),
    );
    await processed();
    await until(() => receiver.at(hook).length >= 3);
    const ids = receiver.at(hook).map(({ body: event }) => event.data.message_id);
    expect(new Set(ids)).toEqual(new Set(messages.map((message) => message.id)));
    const rows = await stack.sql(
      `select id from open_events where endpoint_id = $1
       union all select id from done_events where endpoint_id = $1`,
      [id],
    );
    expect(rows).toHaveLength(3);
  });

  it('are not processed for accounts with another secret', async () => {
    const hook = newHook();
    const accountId = await addAccount(stack);
    const [account] = await stack.sql('select phone_number_id from accounts where id = $1', [
      accountId,
    ]);
    const foreign = {
      ...demoNumber,
      businessAccountId: '200000000000002',
      phoneNumberId: account.phone_number_id,
    };
    await addWebhookKey(stack, receiver.url(hook), { accountId });
    const message = textMessage();
    await notify(stack, notification({ messages: [textMessage()] }, foreign));
    // `addAccount` gives its accounts this one.
    await until(
      async () =>
        (await notify(stack, notification({ messages: [message] }, foreign), { secret: 'secret' }))
          .status === 200,
    );
    await until(() => receiver.at(hook).length > 0);
    await processed();
    expect(receiver.at(hook).map(({ body }) => body.data.message_id)).toEqual([message.id]);
  });

  it('of a failure without a reason say so', async () => {
    const { body } = await stack.send('button', buttonMessage({ to: newRecipient() }));
    const id = body.data.message_id;
    const { platform_message_id: wamid } = await stack.message(id);
    // In the platform's whole seconds, the failure seems to come before our own send.
    const timestamp = String(Math.floor(Date.now() / 1_000) - 1);
    await notify(stack, notification({ statuses: [{ id: wamid, status: 'failed', timestamp }] }));
    const failed = await until(async () => {
      const message = await stack.message(id);
      return message.status === 'failed' && message;
    });
    expect(failed.error).toMatchObject({
      message: 'WhatsApp reports that the message failed and does not say why.',
    });
    expect(failed.error).not.toHaveProperty('whatsapp_error_code');
    expect(failed.failed_at >= failed.sent_at).toBe(true);
  });

  it('of new messages reach test keys too when the simulator is the platform', async () => {
    const [live, test] = [newHook(), newHook()];
    await addWebhookKey(stack, receiver.url(live), { events: ['message.received'] });
    await addWebhookKey(stack, receiver.url(test), { events: ['message.received'], mode: 'test' });
    const message = textMessage();
    await notify(stack, notification({ messages: [message] }));
    await until(() => receiver.at(live).length === 1 && receiver.at(test).length === 1);
    for (const hook of [live, test]) {
      expect(receiver.at(hook)[0]?.body.data.message_id).toBe(message.id);
    }
  });

  it('move statuses forward only, in any order, and a proof of delivery beats a failure', async () => {
    const { body } = await stack.send('button', buttonMessage({ to: newRecipient() }));
    const id = body.data.message_id;
    const { platform_message_id: wamid } = await stack.message(id);
    const report = (status: string, extra = {}) =>
      notify(
        stack,
        notification({
          statuses: [
            {
              id: wamid,
              status,
              timestamp: String(Math.floor(Date.now() / 1000)),
              recipient_id: '1',
              ...extra,
            },
          ],
        }),
      );
    await report('failed', {
      errors: [{ code: 131049, title: 'Not delivered', message: 'Not delivered' }],
    });
    await until(async () => (await stack.message(id)).status === 'failed');
    expect((await stack.message(id)).error).toMatchObject({ whatsapp_error_code: 131049 });
    await report('read');
    await until(async () => (await stack.message(id)).status === 'read');
    for (const status of ['delivered', 'sent', 'failed', 'played', 'deleted']) await report(status);
    await processed();
    const message = await stack.message(id);
    expect(message.status).toBe('read');
    expect(message.error).toBeNull();
    expect(message.timeline.map(({ status }: any) => status)).toEqual([
      'queued',
      'sending',
      'sent',
      'failed',
      // Entered after `read`: the timeline is still in order.
      'delivered',
      'read',
    ]);
    expect(message.delivered_at).not.toBeNull();
  });

  it('wait when they are early, and are kept as foreign when no message of ours ever matches', async () => {
    const { body } = await stack.send('button', buttonMessage({ to: newRecipient() }));
    const id = body.data.message_id;
    const [{ platform_message_id: wamid }] = await stack.sql(
      'update messages set platform_message_id = null where id = $1 returning (select platform_message_id)',
      [id],
    );
    const early = newWamid();
    const stranger = newWamid();
    await notify(
      stack,
      notification({
        statuses: [early, stranger].map((one) => ({
          id: one,
          status: 'delivered',
          timestamp: '1700000000',
        })),
      }),
    );
    await processed();
    const waiting = () =>
      stack.sql(`select id, state from notification_events where state = 'waiting'`);
    expect(await waiting()).toHaveLength(2);
    expect(wamid).toBeDefined();
    await stack.sql('update messages set platform_message_id = $2 where id = $1', [id, early]);
    await until(async () => (await stack.message(id)).status === 'delivered');
    await stack.sql(`update platform_notifications set received_at = received_at - interval '16 minutes'
      where id in (select notification_id from notification_events where state = 'waiting')`);
    await stack.sql(
      `update notification_events set next_attempt_at = now() where state = 'waiting'`,
    );
    await until(async () => (await waiting()).length === 0);
    const foreign = await stack.sql(`select 1 from notification_events where state = 'foreign'`);
    expect(foreign).toHaveLength(1);
  });

  it('that cannot be processed are set aside, stop no other, and can be tried again', async () => {
    const hook = newHook();
    await addWebhookKey(stack, receiver.url(hook), { events: ['message.received'] });
    await stack.sql(`create or replace function refuse_poison() returns trigger language plpgsql as $$
      begin if new.body like '%poison%' then raise exception 'the poison is refused'; end if; return new; end $$`);
    await stack.sql(
      `create trigger poison before insert on open_events for each row execute function refuse_poison()`,
    );
    const poisoned = textMessage({ text: { body: 'poison' } });
    const others = [textMessage(), textMessage()];
    await notify(stack, notification({ messages: [others[0], poisoned, others[1]] }));
    await until(() => receiver.at(hook).length === 2);
    await processed();
    const dashboard = await Dashboard.signIn(stack);
    const list = async () => {
      const { notifications } = await dashboard.get('GET', '/notifications?state=set_aside');
      return notifications.filter(({ kind }: any) => kind === 'message');
    };
    const [entry] = await list();
    expect(entry).toMatchObject({
      kind: 'message',
      state: 'set_aside',
      error: 'the poison is refused',
    });
    const detail = await dashboard.get('GET', `/notifications/${entry.id}`);
    expect(detail.notification).toEqual(entry);
    expect(JSON.parse(detail.body).entry[0].changes[0].value.messages).toHaveLength(3);
    const administrator = await Dashboard.administratorOf(stack, dashboard, installation.accountId);
    expect((await administrator.get('GET', `/notifications/${entry.id}`)).body).toBeNull();
    const { administrator: stranger } = await neighbour(stack, dashboard);
    expect((await stranger.call('GET', `/notifications/${entry.id}`)).status).toBe(404);
    await stack.sql('drop trigger poison on open_events');
    await dashboard.get('POST', `/notifications/${entry.id}/retry`);
    await until(() => receiver.at(hook).some(({ body }) => body.data.message_id === poisoned.id));
    await until(async () => (await list()).length === 0);
  });

  it('that do not have the form of a message or status are set aside, and the others count', async () => {
    const hook = newHook();
    await addWebhookKey(stack, receiver.url(hook), { events: ['message.received'] });
    const startedAt = new Date().toISOString();
    const { id: _, ...nameless } = textMessage();
    await notify(stack, notification({ messages: [nameless, textMessage(), null] }));
    await notify(stack, notification({ statuses: [{ status: 'read' }] }));
    await until(() => receiver.at(hook).length === 1);
    await processed();
    const dashboard = await Dashboard.signIn(stack);
    const list = async () => {
      const { notifications } = await dashboard.get('GET', '/notifications?state=set_aside');
      return notifications.filter(({ received_at }: any) => received_at >= startedAt);
    };
    const unreadable = { kind: 'other', error: expect.stringContaining('form') };
    const entries = await list();
    expect(entries).toMatchObject([unreadable, unreadable, unreadable]);
    await dashboard.get('POST', `/notifications/${entries[0].id}/retry`);
    expect(await list()).toHaveLength(2);
    await until(async () => (await list()).length === 3);
  });

  it('that are not JSON are set aside as a whole', async () => {
    expect((await notify(stack, '{"object":')).status).toBe(200);
    const dashboard = await Dashboard.signIn(stack);
    const entry = await until(async () => {
      const { notifications } = await dashboard.get('GET', '/notifications?state=set_aside');
      return notifications.find(({ kind }: any) => kind === 'notification');
    });
    expect(entry.error).toMatch(/JSON/);
    await dashboard.get('POST', `/notifications/${entry.id}/retry`);
    await until(async () => {
      const { notifications } = await dashboard.get('GET', '/notifications?state=set_aside');
      return notifications.some((one: any) => one.kind === 'notification' && one.id !== entry.id);
    });
  });

  it('let replies fall back to every key in use when their own has no webhook', async () => {
    const [own, other, off, test, deaf] = [newHook(), newHook(), newHook(), newHook(), newHook()];
    const silent = await addWebhookKey(stack, null);
    await addWebhookKey(stack, receiver.url(other), { events: ['message.received'] });
    await addWebhookKey(stack, receiver.url(off), { active: false });
    await addWebhookKey(stack, receiver.url(test), { mode: 'test' });
    await addWebhookKey(stack, receiver.url(deaf), { events: ['message.status'] });
    const to = newRecipient();
    const { body } = await stack.send(
      'button',
      buttonMessage({ to, reference: 'x' }),
      {},
      { apiKey: silent.key },
    );
    const { platform_message_id: wamid } = await stack.message(body.data.message_id);
    const reply = (id: string) =>
      notify(stack, notification({ messages: [textMessage({ id, context: { id: wamid } })] }));
    const first = newWamid();
    await reply(first);
    await until(() =>
      receiver.at(other).some(({ body: event }) => event.data.message_id === first),
    );
    await stack.sql('update webhook_endpoints set url = $2 where id = $1', [
      silent.id,
      receiver.url(own),
    ]);
    const second = newWamid();
    await reply(second);
    await until(() => receiver.at(own).length > 0);
    await processed();
    expect(receiver.at(own)[0]?.body.data.context).toEqual({
      message_id: body.data.message_id,
      platform_message_id: wamid,
      reference: 'x',
    });
    expect(receiver.at(other).some(({ body: event }) => event.data.message_id === second)).toBe(
      false,
    );
    for (const hook of [off, test, deaf]) expect(receiver.at(hook)).toEqual([]);
  });

  it('of accounts and numbers become alerts and facts', async () => {
    const account = { id: demoNumber.businessAccountId, time: Math.floor(Date.now() / 1000) };
    const event = (field: string, value: object) =>
      notify(stack, {
        object: 'whatsapp_business_account',
        entry: [{ ...account, changes: [{ field, value }] }],
      });
    await event('account_update', { event: 'VOLUME_BASED_PRICING_TIER_UPDATE' });
    await event('account_update', {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1 }],
    });
    await event('phone_number_quality_update', {
      display_phone_number: '15550783881',
      event: 'FLAGGED',
      current_limit: 'TIER_10K',
    });
    await event('something_new', { event: 'X' });
    const dashboard = await Dashboard.signIn(stack);
    const alerts = await until(async () => {
      const all = (await dashboard.get('GET', '/alerts')).alerts;
      return all.length >= 2 && all;
    });
    expect(alerts.map(({ kind, subject }: any) => `${kind} ${subject}`)).toEqual(
      expect.arrayContaining(['account_notice ACCOUNT_RESTRICTION', 'number_quality number']),
    );
    await processed();
    const { alerts: all } = await dashboard.get('GET', '/alerts');
    expect(JSON.stringify(all)).not.toContain('VOLUME_BASED_PRICING_TIER_UPDATE');
    const shown = await dashboard.get('GET', `/accounts/${installation.accountId}`);
    expect(shown.account).toMatchObject({
      quality_event: 'FLAGGED',
      quality_at: expect.any(String),
      messaging_limit: 'TIER_10K',
      last_webhook_at: expect.any(String),
    });
  });

  it('serve the files of users to keys that may view messages', async () => {
    const hook = newHook();
    const { key } = await addWebhookKey(stack, receiver.url(hook), {
      events: ['message.received'],
    });
    const media = await fetch(`${stack.simulator.url}/v25.0/${demoNumber.phoneNumberId}/media`, {
      method: 'POST',
      headers: { authorization: 'Bearer token-of-the-tests' },
      body: (() => {
        const form = new FormData();
        form.set('messaging_product', 'whatsapp');
        form.set('type', 'image/png');
        form.set(
          'file',
          new Blob([Buffer.from('89504e470d0a1a0a', 'hex')], { type: 'image/png' }),
          'a.png',
        );
        return form;
      })(),
    });
    const { id } = (await media.json()) as { id: string };
    const get = (mediaId: string, apiKey = key) => stack.get(`/media/${mediaId}`, { apiKey });
    expect((await get(id)).status).toBe(404);
    const asked = await stack.send('button', buttonMessage(), {}, { apiKey: key });
    const { platform_message_id } = await stack.message(asked.body.data.message_id);
    const context = { id: platform_message_id };
    const image = { id, mime_type: 'image/png' };
    await notify(
      stack,
      notification({ messages: [textMessage({ type: 'image', image, context })] }),
    );
    const event = await until(() => receiver.at(hook)[0]);
    expect(event.body.data.message.image.url).toMatch(new RegExp(`/api/v1/external/media/${id}$`));
    const file = await get(id);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('image/png');
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
    const { key: blind } = await addApiKey(stack, { permissions: ['send_text'] });
    expect((await get(id, blind)).body.error.code).toBe('PERMISSION_DENIED');
    const { key: stranger } = await addApiKey(stack, { accountId: await addAccount(stack) });
    expect((await get(id, stranger)).status).toBe(404);
    // Answers to live messages do not go to test keys; new messages do when the simulator is the platform.
    const { key: test } = await addApiKey(stack, { mode: 'test' });
    expect((await get(id, test)).status).toBe(404);
    await notify(stack, notification({ messages: [textMessage({ type: 'image', image })] }));
    await until(async () => (await get(id, test)).status === 200);
  });

  const folder = join(checkout, 'libs/whatsapp/fixtures');
  const files = ['pywa', 'restfb'].flatMap((project) =>
    readdirSync(join(folder, project)).map((name) => `${project}/${name}`),
  );

  it('recorded by other projects are all accepted and applied', async () => {
    const hook = newHook();
    await addWebhookKey(stack, receiver.url(hook), { events: ['message.received'] });
    const bodies = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
    const [{ set_aside: before }] = await stack.sql(
      `select count(*) as set_aside from notification_events where state = 'set_aside'`,
    );
    await stack.sql('delete from alerts');
    await stack.sql('update accounts set quality_at = null');
    // WhatsApp does not have this template: a sync would remove it, and one is due soon for a new account.
    await stack.sql(
      `insert into template_syncs (account_id, mode, run_id, running_until, started_at)
       select $1, mode, gen_random_uuid(), now() + interval '1 hour', now()
       from unnest(array['live', 'test']) mode
       on conflict (account_id, mode) do update
         set run_id = excluded.run_id, running_until = excluded.running_until`,
      [installation.accountId],
    );
    await stack.sql(
      `insert into templates (id, account_id, mode, name, language, category, status,
         parameter_format, components)
       values (new_id(), $1, 'live', 'abandoned_cart', 'en', 'MARKETING', 'APPROVED', 'POSITIONAL', '[]')`,
      [installation.accountId],
    );
    const messages: string[] = [];
    const reported: { id: string; status: string; code: number | undefined }[] = [];
    for (const body of bodies) {
      for (const entry of body.entry ?? []) {
        entry.id = demoNumber.businessAccountId;
        for (const { value } of entry.changes) {
          if (value.metadata) value.metadata.phone_number_id = demoNumber.phoneNumberId;
          if (value.display_phone_number)
            value.display_phone_number = demoNumber.displayPhoneNumber;
          for (const message of value.messages ?? []) messages.push((message.id = newWamid()));
          for (const status of value.statuses ?? []) {
            const sent = await stack.send('button', buttonMessage({ to: newRecipient() }));
            const id = sent.body.data.message_id;
            status.id = (await stack.message(id)).platform_message_id;
            reported.push({ id, status: status.status, code: status.errors?.[0].code });
          }
        }
      }
      const answer = await notify(stack, body);
      expect(answer.status).toBe(200);
    }
    await processed();
    await until(() => receiver.at(hook).length >= messages.length);
    expect(new Set(receiver.at(hook).map(({ body }) => body.data.message_id))).toEqual(
      new Set(messages),
    );
    const [{ set_aside: after }] = await stack.sql(
      `select count(*) as set_aside from notification_events where state = 'set_aside'`,
    );
    expect(after).toBe(before);
    const kinds = (await stack.sql('select distinct kind from alerts')).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['account_notice', 'number_quality', 'platform_error']));
    expect(reported.length).toBeGreaterThanOrEqual(6);
    for (const { id, status, code } of reported) {
      const message = await stack.message(id);
      expect([message.status, message.error?.whatsapp_error_code]).toEqual([
        status === 'played' ? 'sent' : status,
        code,
      ]);
    }
    const [template] = await stack.sql(
      `select status, rejected_reason from templates where name = 'abandoned_cart'`,
    );
    expect(template).toEqual({ status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' });
  });
});
