import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { installation, stores } from '../support/installation.js';
import { checkout } from '../support/npm-start.js';
import { buttonMessage, Stack } from '../support/stack.js';
import { until } from '../support/until.js';
import {
  change,
  demoNumber,
  newWamid,
  notification,
  notify,
  textMessage,
} from '../support/webhooks.js';
import { hostileBodies, namesIn } from './hostile-json.js';
import { inGroups, platformRuns, report } from './runs.js';

const fixtures = join(checkout, 'libs/whatsapp/fixtures');

/** Notifications as the platform sends them: real ones, and some about the account of the tests. */
function examples(wamid: string): object[] {
  const recorded = ['meta', 'pywa', 'restfb'].flatMap((folder) =>
    readdirSync(join(fixtures, folder)).map(
      (file) => JSON.parse(readFileSync(join(fixtures, folder, file), 'utf8')) as object,
    ),
  );
  const status = (name: string) => ({
    id: wamid,
    status: name,
    timestamp: '1795000000',
    recipient_id: '14155550123',
    errors: [{ code: 131_026, title: 'Undeliverable', error_data: { details: 'No' } }],
  });
  return [
    ...recorded,
    notification({ messages: [textMessage({ context: { id: wamid } })] }),
    notification({
      contacts: [{ wa_id: '14155550199', profile: { name: 'Kerry' } }],
      messages: [
        textMessage({
          type: 'interactive',
          interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
        }),
        textMessage({ type: 'image', image: { id: '1', mime_type: 'image/jpeg', sha256: 'a' } }),
      ],
    }),
    notification({ statuses: ['sent', 'delivered', 'read', 'failed'].map(status) }),
    {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: demoNumber.businessAccountId,
          time: 1_795_000_000,
          changes: [
            change({ messages: [textMessage()] }),
            {
              field: 'message_template_status_update',
              value: {
                event: 'APPROVED',
                message_template_id: 1,
                message_template_name: 'hello_world',
                message_template_language: 'en_US',
                reason: 'NONE',
              },
            },
            { field: 'account_update', value: { event: 'ACCOUNT_RESTRICTION' } },
            {
              ...change({
                contacts: [{ wa_id: '14155550199', user_id: 'US.1', profile: { name: 'Kerry' } }],
                calls: [
                  {
                    id: 'wacid.1',
                    from: '14155550199',
                    event: 'connect',
                    direction: 'USER_INITIATED',
                    timestamp: '1795000000',
                  },
                ],
              }),
              field: 'calls',
            },
          ],
        },
      ],
    },
  ];
}

describe('a notification that is not as it should be', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ store: stores.at(-1), env: { LOG_LEVEL: 'warn' } });
  });

  afterAll(() => stack?.stop());

  it('is stored, processed or set aside; it stops no worker and no other notification', async () => {
    const sent = await stack.send('button', buttonMessage());
    const [message] = await stack.sql('select platform_message_id from messages where id = $1', [
      sent.body.data.message_id,
    ]);
    const all = examples(message.platform_message_id);
    const known = namesIn(all);
    const pids = stack.processes.map(({ pid }) => pid);
    const bodies = fc.oneof(...all.map((example) => hostileBodies(example, known)));
    await inGroups(platformRuns, bodies, async (group) => {
      const answers = await Promise.all(
        group.map((body) => notify(stack, body, { secret: installation.appSecret })),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    });
    const last = newWamid();
    await notify(stack, notification({ messages: [textMessage({ id: last })] }));
    const counts = await until(async () => {
      const [row] = await stack.sql(
        `select count(*)::int as total, count(*) filter (where processed_at is null and
           not exists (select from notification_events e where e.notification_id = n.id
             and e.state = 'set_aside'))::int as open,
           max(attempts) as attempts
         from platform_notifications n`,
      );
      return row.open === 0 && row;
    });
    const [{ aside }] = await stack.sql(
      `select count(*)::int as aside from notification_events where state = 'set_aside'`,
    );
    // One attempt each: none took its worker down, none came back.
    expect(counts.attempts).toBe(1);
    expect(stack.processes.map(({ pid, isRunning }) => isRunning && pid)).toEqual(pids);
    for (const { output } of stack.processes) expect(output).not.toMatch(/"level":"(error|fatal)"/);
    report(`mutated notifications: ${counts.total} stored and processed, ${aside} set aside`);
  });
});
