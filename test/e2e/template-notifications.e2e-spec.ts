import { addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { newRecipient, Stack } from '../support/stack.js';
import { businessAccountId, definitions, putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';
import { notify } from '../support/webhooks.js';

describe('a template that WhatsApp sends a notification about', () => {
  let stack: Stack;
  let apiKey: string;
  let dashboard: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start({ apis: 2, webhooks: true });
    ({ key: apiKey } = await addApiKey(stack));
    await putTemplates(stack, [definitions.plain]);
    dashboard = await Dashboard.signIn(stack);
    await sync(dashboard);
  });

  afterAll(() => stack?.stop());

  const send = (api: number) =>
    stack.request('/messages/template', {
      method: 'POST',
      body: { to: newRecipient(), template_name: 'plain', language: 'en_US' },
      apiKey,
      api,
    });
  const stored = async () => {
    const [row] = await stack.sql(
      `select status from templates where name = 'plain' and mode = 'live'`,
    );
    return row.status;
  };

  it.each(['PAUSED', 'DISABLED', 'REJECTED'])(
    'is refused at the next send after it is %s, and sent again after APPROVED',
    async (status) => {
      for (const api of [0, 1]) expect((await send(api)).status).toBe(200);
      await putTemplates(stack, [{ ...definitions.plain, status }]);
      await until(async () => (await stored()) === status);
      // The row is committed a moment before the processes are notified.
      await until(async () => (await send(0)).status === 400);
      for (const api of [0, 1]) {
        expect((await send(api)).body.error).toMatchObject({
          code: 'TEMPLATE_NOT_FOUND',
          details: { status },
        });
      }
      await putTemplates(stack, [definitions.plain]);
      await until(async () => (await send(0)).status === 200);
      expect((await send(1)).status).toBe(200);
    },
  );

  it('is read again after a notification that looks like an earlier one', async () => {
    const paused = {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: businessAccountId,
          time: 1_795_000_000,
          changes: [
            {
              field: 'message_template_status_update',
              value: {
                event: 'PAUSED',
                message_template_name: 'plain',
                message_template_language: 'en_US',
              },
            },
          ],
        },
      ],
    };
    await notify(stack, paused);
    await until(async () => (await stored()) === 'PAUSED');
    await sync(dashboard);
    expect(await stored()).toBe('APPROVED');
    const [{ synced_at: before }] = await stack.sql(
      `select synced_at::text from template_syncs where mode = 'live'`,
    );
    await notify(stack, paused);
    await until(async () => {
      const rows = await stack.sql(
        `select 1 from template_syncs where mode = 'live'
         and (synced_at > $1::timestamptz or started_at < now() - interval '1 hour')`,
        [before],
      );
      return rows.length > 0;
    });
  });
});
