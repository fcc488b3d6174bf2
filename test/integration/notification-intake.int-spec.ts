import type { TestingModule } from '@nestjs/testing';
import { Client } from 'pg';
import { ConsentChanges } from '../../src/consents/consent-changes.js';
import { ContactLedger } from '../../src/contacts/contact-ledger.js';
import { WebhookEvents } from '../../src/deliveries/webhook-events.js';
import { AppError } from '../../src/errors/app-error.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import { ContactSightings } from '../../src/notifications/contact-sightings.js';
import { AccountRoutes } from '../../src/notifications/intake/account-routes.js';
import { AppSecrets } from '../../src/notifications/intake/app-secrets.js';
import { NotificationIntake } from '../../src/notifications/intake/notification-intake.js';
import { SignerSearch } from '../../src/notifications/intake/signer-search.js';
import { LastNotifications } from '../../src/notifications/last-notifications.js';
import { addAccount } from '../support/api-keys.js';
import { TestDatabase } from '../support/database.js';
import { installation, secretBox } from '../support/installation.js';
import { insertMessage, readRow } from '../support/messages.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';
import {
  demoNumber,
  newWamid,
  notification,
  platformJson,
  platformSignature,
  textMessage,
} from '../support/webhooks.js';

describe('the intake of notifications', () => {
  let database: TestDatabase;
  let process: TestingModule;
  let other: Client;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    other = new Client({ connectionString: database.url, application_name: 'test' });
    await other.connect();
  });

  beforeEach(async () => {
    process = await openModule({
      databaseUrl: database.url,
      imports: [QueuesModule.forRole('producer'), RepliesModule, MessageChangesModule],
      providers: [
        AccountRoutes,
        AppSecrets,
        ConsentChanges,
        ContactLedger,
        ContactSightings,
        LastNotifications,
        NotificationIntake,
        SignerSearch,
        WebhookEvents,
      ],
    });
    await database.empty('platform_notifications, account_notifications');
  });

  afterEach(async () => {
    await other.query('rollback');
    await process.close();
  });

  afterAll(async () => {
    await other.end();
    await database.drop();
  });

  const insert = () => insertMessage(database, { status: 'sent', attempt: 1 });
  const statusOf = (id: string | null, status = 'delivered', more: object = {}) => ({
    id: newWamid(),
    status,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    ...(id && { biz_opaque_callback_data: id }),
    ...more,
  });
  /** Takes a signed notification, as the controller does. */
  async function take(json: unknown): Promise<void> {
    const body = Buffer.from(platformJson(json));
    const signer = await process.get(SignerSearch).findSigner({
      body,
      signature: platformSignature(body),
      accountId: null,
      address: '192.0.2.1',
    });
    if (!signer) throw new Error('nobody signed it');
    await process.get(NotificationIntake).takeNotification(body, signer);
  }
  const takeStatuses = (...statuses: object[]) => take(notification({ statuses }));
  const stored = async () =>
    (await database.sql('select count(*)::int as stored from platform_notifications'))[0].stored;

  it('applies statuses of our messages at once, and stores nothing else', async () => {
    const ids = [await insert(), await insert()];
    await takeStatuses(
      ...ids.flatMap((id) => [statusOf(id, 'read'), statusOf(id.toUpperCase(), 'delivered')]),
    );
    for (const id of ids) expect(await readRow(database, id)).toMatchObject({ status: 'read' });
    expect(await stored()).toBe(0);
  });

  it('takes what came together for an account that was just made, all of it', async () => {
    await take(notification({ messages: [textMessage()] }));
    await database.empty('platform_notifications, account_notifications');
    const id = await addAccount(database);
    await database.sql('update accounts set app_secret = $2, version = version + 1 where id = $1', [
      id,
      secretBox().seal(installation.appSecret, `accounts.app_secret.${id}`),
    ]);
    await Promise.all(
      Array.from({ length: 5 }, () => take(notification({ messages: [textMessage()] }))),
    );
    const rows = await database.sql('select account_ids from platform_notifications');
    expect(rows.map(({ account_ids: ids }) => ids.includes(id))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  it('learns which number and user id belong together, and applies a status even if it cannot', async () => {
    const ids = { recipient_id: '14155550188', recipient_user_id: 'US.88' };
    const [known, unknown] = [await insert(), await insert()];
    await takeStatuses(statusOf(known, 'delivered', ids));
    const phones = async () =>
      (await database.sql('select distinct phone, user_id from contacts')).map(
        ({ phone, user_id }) => [phone, user_id],
      );
    expect(await phones()).toEqual([['+14155550188', 'US.88']]);
    await database.sql('alter table contacts add constraint broken check (false) not valid');
    const stranger = { recipient_id: '14155550189', recipient_user_id: 'US.89' };
    await takeStatuses(statusOf(unknown, 'delivered', stranger));
    await database.sql('alter table contacts drop constraint broken');
    expect(await readRow(database, unknown)).toMatchObject({ status: 'delivered' });
    expect(await phones()).toEqual([['+14155550188', 'US.88']]);
    expect(await stored()).toBe(0);
  });

  it('records when the last notification of an account came, once a minute', async () => {
    const id = await insert();
    await takeStatuses(statusOf(id));
    const rows = await until(async () => {
      const found = await database.sql('select account_id, xmin::text from account_notifications');
      return found.length > 0 && found;
    });
    expect(rows).toMatchObject([{ account_id: installation.accountId }]);
    expect(
      await database.sql('select first_at = last_at as is_first from account_notifications'),
    ).toEqual([{ is_first: true }]);
    await takeStatuses(statusOf(id, 'read'));
    expect(await database.sql('select account_id, xmin::text from account_notifications')).toEqual(
      rows,
    );
  });

  it.each<[string, (id: string) => unknown]>([
    ['a failure', (id) => notification({ statuses: [statusOf(id, 'failed')] })],
    ['a status without our id', () => notification({ statuses: [statusOf(null)] })],
    ['a status with a foreign text', () => notification({ statuses: [statusOf('7')] })],
    [
      'a status of an unknown message',
      (id) =>
        notification({
          statuses: [statusOf(id), statusOf('018f0000-0000-7000-8000-00000000000c')],
        }),
    ],
    ['a status that changes nothing', (id) => notification({ statuses: [statusOf(id, 'played')] })],
    [
      'a message too',
      (id) => notification({ statuses: [statusOf(id)], messages: [textMessage()] }),
    ],
    ['an unreadable status too', (id) => notification({ statuses: [statusOf(id), { id: 1 }] })],
    [
      'an id that cannot be stored',
      (id) => notification({ statuses: [statusOf(id, 'sent', { id: 'a\0' })] }),
    ],
    [
      'a number that is not ours',
      (id) => notification({ statuses: [statusOf(id)] }, { ...demoNumber, phoneNumberId: '1' }),
    ],
    [
      'more than 128 KiB',
      (id) => notification({ statuses: [statusOf(id)], x: 'x'.repeat(131_072) }),
    ],
    [
      'more than 500 statuses',
      (id) => notification({ statuses: Array.from({ length: 501 }, () => statusOf(id)) }),
    ],
    ['no event', () => notification({ statuses: [] })],
    ['no JSON object', () => null],
  ])('stores the bytes of a notification with %s', async (_, json) => {
    const id = await insert();
    await take(json(id));
    expect(await stored()).toBe(1);
  });

  it('takes any time, any price and any text of a status', async () => {
    const id = await insert();
    await takeStatuses(
      statusOf(id, 'sent', { timestamp: '99999999999999999' }),
      statusOf(id, 'delivered', { timestamp: 8_640_000_000_000_000, id: '{"a\\",NULL}\ud800' }),
      statusOf(id, 'read', { timestamp: -1, pricing: { category: '\0\ud800\n"' } }),
    );
    expect(await stored()).toBe(0);
    const row = await readRow(database, id);
    expect(row).toMatchObject({ status: 'read', pricing: { category: '\ufffd\n"' } });
    for (const at of [row.sent_at, row.delivered_at, row.read_at]) {
      expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(60_000);
    }
  });

  it('stores the bytes when the account has changed since it was read, and reads it again', async () => {
    const id = await insert();
    await takeStatuses(statusOf(id, 'sent'));
    await database.sql('update accounts set version = version + 1');
    await takeStatuses(statusOf(id));
    expect(await stored()).toBe(1);
    expect((await readRow(database, id)).status).toBe('sent');
    await until(async () => {
      await takeStatuses(statusOf(id));
      return (await readRow(database, id)).status === 'delivered';
    });
  });

  it('stores the bytes when a message is locked for a second', async () => {
    const id = await insert();
    await other.query('begin');
    await other.query('select from messages where id = $1 for update', [id]);
    await takeStatuses(statusOf(id));
    expect(await stored()).toBe(1);
  });

  it('refuses while the store is silent', async () => {
    const id = await insert();
    await takeStatuses(statusOf(id, 'sent'));
    await other.query('begin');
    await other.query('lock table messages, platform_notifications in access exclusive mode');
    // The lock is held until the end of the test: the refusal does not wait for it.
    await expect(takeStatuses(statusOf(id))).rejects.toThrow('silent');
  });

  it.each<[string, number, (id: string) => unknown]>([
    [
      '10,000 statuses',
      21,
      (id) =>
        notification({
          statuses: Array.from({ length: 480 }, () => statusOf(id, 'sent', { id: 'wamid.1' })),
        }),
    ],
    ['64 MiB', 17, () => notification({ padding: 'x'.repeat(4_000_000) })],
  ])('holds at most %s, and refuses more at once', async (_, times, json) => {
    const id = await insert();
    await takeStatuses(statusOf(id, 'sent'));
    await other.query('begin');
    await other.query('lock table messages, platform_notifications in access exclusive mode');
    const taking = Array.from({ length: times }, () => take(json(id)));
    const refusal = await Promise.race(taking).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ status: 503, details: { reason: 'too_many_notifications' } });
    await other.query('rollback');
    await Promise.allSettled(taking);
    await until(() =>
      take(json(id)).then(
        () => true,
        () => false,
      ),
    );
  });
});
