import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { ConsentChanges } from '../../src/consents/consent-changes.js';
import { ConsentsModule } from '../../src/consents/consents.module.js';
import { ConsentsService } from '../../src/consents/consents.service.js';
import type { NumberForm, Sighting } from '../../src/contacts/contact.js';
import { ContactLedger } from '../../src/contacts/contact-ledger.js';
import { contactOf } from '../../src/contacts/contact-of-message.js';
import { ContactReads } from '../../src/contacts/contact-reads.js';
import { ContactWindows } from '../../src/contacts/contact-windows.js';
import { ToldForms } from '../../src/contacts/forms/told-forms.js';
import { namesOf } from '../../src/contacts/names-of-person.js';
import { optOutOf } from '../../src/contacts/opt-out-of-message.js';
import { WebhookEvents } from '../../src/deliveries/webhook-events.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { RepliesModule } from '../../src/hints/replies.module.js';
import { MessageChangesModule } from '../../src/messages/rows/message-changes.module.js';
import { StatusReports } from '../../src/messages/rows/status-reports.js';
import { ContactSightings } from '../../src/notifications/contact-sightings.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { insertMessage, readRow, report } from '../support/messages.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

const scope = { accountId: installation.accountId, mode: 'live' } as const;

describe('the forms of a number', () => {
  let database: TestDatabase;
  let process: TestingModule;
  let forms: ToldForms;
  let sightings: ContactSightings;
  let consents: ConsentsService;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    process = await openModule({
      databaseUrl: database.url,
      imports: [
        QueuesModule.forRole('producer'),
        RepliesModule,
        MessageChangesModule,
        ConsentsModule,
      ],
      providers: [
        ConsentChanges,
        ContactLedger,
        ContactReads,
        ContactSightings,
        ContactWindows,
        WebhookEvents,
      ],
    });
    forms = process.get(ToldForms, { strict: false });
    sightings = process.get(ContactSightings);
    consents = process.get(ConsentsService, { strict: false });
  });

  afterAll(async () => {
    await process?.close();
    await database?.drop();
  });

  let line = 0;
  /** A number that has a form which no plan tells of, with that form. */
  const newPair = (): [string, string] => {
    line += 1;
    const end = String(line).padStart(4, '0');
    return [`+2250787650${end.slice(1)}`, `+22587650${end.slice(1)}`];
  };
  const tell = (phone: string, form: string, change: Partial<NumberForm> = {}) =>
    forms.hear({ ...scope, phone, form, ...change });
  const hear = (phone: string, change: Partial<Sighting> = {}) =>
    process.get(DataSource).transaction((manager) =>
      sightings.learn(manager, [
        {
          ...scope,
          phone,
          userId: null,
          parentUserId: null,
          username: null,
          name: null,
          at: new Date(),
          isInbound: true,
          previous: null,
          ...change,
        },
      ]),
    );
  const say = (phone: string, state: 'opted_in' | 'opted_out') =>
    consents.put({ phone, scope: 'all', state }, scope);
  async function templateTo(recipient: string, status: 'queued' | 'sent'): Promise<string> {
    const id = await insertMessage(database, { status, attempt: 1 });
    await database.sql(
      `update messages set recipient = $2, type = 'template',
         payload = '{"template":{"name":"x","language":{"code":"en"}}}' where id = $1`,
      [id, recipient],
    );
    return id;
  }
  const of = async (phone: string, expression: (row: string) => string) => {
    const [row] = await database.sql(
      `select ${expression('m')} as value from (select 'template' as type,
         '{"template":{"name":"x","language":{"code":"en"}}}'::json as payload, $1::uuid as account_id,
         $2::text as mode, $3::text as recipient, null::text as to_user_id) m`,
      [scope.accountId, scope.mode, phone],
    );
    return row.value;
  };
  const optOut = (phone: string) => of(phone, optOutOf);
  const contact = (phone: string) => of(phone, contactOf);

  it.each([
    ['Brazil', '+5531987654321', '+553187654321'],
    ['Mexico', '+5215587654321', '+525587654321'],
    ['Argentina', '+5491187654321', '+541187654321'],
    ['Argentina, with a longer area code', '+5492966412345', '+542966412345'],
  ])('are known in %s before anything is told', async (_, one, other) => {
    await say(one, 'opted_out');
    expect(await optOut(other)).toBe('all');
    expect(await contact(other)).toBe(await contact(one));
    await say(other, 'opted_in');
    expect([await optOut(one), await optOut(other)]).toEqual([null, null]);
  });

  it.each([
    ['from the one', 0, 1],
    ['from the other', 1, 0],
  ])('are learnt: an opt-out %s counts for both', async (_, said, asked) => {
    const pair = newPair();
    await say(String(pair[said]), 'opted_out');
    expect(await optOut(String(pair[asked]))).toBeNull();
    await tell(...pair);
    expect(await optOut(String(pair[asked]))).toBe('all');
    const reads = process.get(ContactReads);
    const [found] = await reads.list(scope, { phone: pair[asked], limit: 2 });
    expect(found?.id).toBe(await contact(String(pair[said])));
  });

  it('are of one account and one mode', async () => {
    const [phone, form] = newPair();
    await say(phone, 'opted_out');
    await tell(phone, form, { mode: 'test' });
    expect(await optOut(form)).toBeNull();
  });

  it('join the contacts, the windows and the names that are there', async () => {
    const [phone, form] = newPair();
    await say(phone, 'opted_in');
    const before = await contact(phone);
    await hear(form, { userId: `CI.${line}` });
    await tell(phone, form);
    expect(await contact(phone)).toBe(before);
    expect(await contact(form)).toBe(before);
    const window = await process.get(ContactWindows).findWindow(scope, { phone, userId: null });
    expect(window.state).toBe('open');
    expect(await of(phone, namesOf)).toEqual(expect.arrayContaining(await of(form, namesOf)));
  });

  it.each([
    ['the later word counts', ['opted_out', 'opted_in'], [0, 5], null],
    ['the later word counts, in either order', ['opted_in', 'opted_out'], [0, 5], 'all'],
    ['of the same second, the opt-out counts', ['opted_out', 'opted_in'], [0, 0], 'all'],
  ] as const)('join opposite consents: %s', async (_, states, minutes, expected) => {
    const pair = newPair();
    for (const [index, state] of states.entries()) {
      await say(String(pair[index]), state);
      await database.sql(
        `update contact_consents set at = '2026-01-01T00:00:00Z'::timestamptz + make_interval(mins => $2)
         where contact_id = $1`,
        [await contact(String(pair[index])), minutes[index]],
      );
    }
    await tell(...pair);
    expect([await optOut(pair[0]), await optOut(pair[1])]).toEqual([expected, expected]);
  });

  it.each([0, 1])(
    'stop what is queued to a number that turns out to have opted out (%s)',
    async (index) => {
      const pair = newPair();
      const [to, out] = index === 0 ? pair : pair.toReversed();
      const id = await templateTo(String(to), 'queued');
      await say(String(out), 'opted_out');
      expect((await readRow(database, id)).status).toBe('queued');
      await tell(...pair);
      const row = await readRow(database, id);
      expect([row.status, row.error.reason]).toEqual(['failed', 'opted_out']);
    },
  );

  it('are learnt from statuses that name another number than the message', async () => {
    const [phone, form] = newPair();
    const id = await templateTo(phone, 'sent');
    await say(form, 'opted_out');
    const reports = process.get(StatusReports, { strict: false });
    await reports.apply(report(id, 'delivered', { phone: form }));
    await until(async () => (await optOut(phone)) === 'all');
  });

  it('are told once: the same, or the number itself, is no news', async () => {
    const [phone, form] = newPair();
    expect(forms.isNews({ ...scope, phone, form })).toBe(true);
    await tell(phone, form);
    expect(forms.isNews({ ...scope, phone, form })).toBe(false);
    expect(forms.isNews({ ...scope, phone, form: phone })).toBe(false);
    expect(forms.isNews({ ...scope, phone: '+5215587654321', form: '+525587654321' })).toBe(false);
  });

  it('reach through what is known: three numbers are one', async () => {
    const one = newPair();
    const [, third] = newPair();
    await say(third, 'opted_out');
    await tell(...one);
    await tell(one[1], third);
    expect([await optOut(one[0]), await optOut(one[1])]).toEqual(['all', 'all']);
  });

  it('end where a platform calls all numbers the same', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => `+49151000000${10 + index}`);
    const same = '+4915100000000';
    for (const number of numbers) await tell(number, same);
    const rows = await database.sql('select 1 from number_forms where phone = $1', [same]);
    expect(rows.length).toBeLessThan(8);
  });

  it('give the number to who wrote last, where both forms have users of their own', async () => {
    const [phone, form] = newPair();
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    await hear(phone, { userId: `CI.old${line}`, at: at(0) });
    await hear(form, { userId: `CI.new${line}`, at: at(1) });
    const latest = await contact(form);
    await tell(phone, form);
    expect([await contact(phone), await contact(form)]).toEqual([latest, latest]);
  });

  it('are looked up by index', async () => {
    await database.sql(
      `insert into contacts (id, account_id, mode, phone, user_id, opted_out)
       select gen_random_uuid(), $1, 'live', '+1415' || (5000000 + i), 'US.9' || i, 'all'
       from generate_series(1, 5000) i`,
      [scope.accountId],
    );
    await database.sql('analyze contacts');
    const text = await database.sql(
      `explain (format json) select ${optOutOf('m')} from (select 'template' as type, '{}'::json as payload,
         $1::uuid as account_id, 'live' as mode, p.phone as recipient, null::text as to_user_id
         from unnest($2::text[]) as p (phone)) m`,
      [scope.accountId, ['+14155550100']],
    );
    const plan = JSON.stringify(text);
    expect(plan).toContain('contacts_opted_out_phone');
    expect(plan).toMatch(/Index Cond":"[^"]*phone = ANY/);
  });
});
