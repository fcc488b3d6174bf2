import { addAccount } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { definitions, putTemplates, sync } from '../support/templates.js';
import { until } from '../support/until.js';
import { notification, notify, textMessage } from '../support/webhooks.js';

const sale = { ...definitions.plain, name: 'sale', category: 'MARKETING' };
const columns = 'phone,user_id,scope,state,source,evidence,said_at';

describe('the contacts of the dashboard', () => {
  let stack: Stack;
  let operator: Dashboard;

  beforeAll(async () => {
    stack = await Stack.start({ webhooks: true });
    operator = await Dashboard.signIn(stack);
    await putTemplates(stack, [...Object.values(definitions), sale]);
    await sync(operator);
  });

  afterAll(() => stack?.stop());

  const list = async (query: string) =>
    (await operator.get('GET', `/contacts?${query}`)).contacts.map((contact: any) => contact.phone);
  const detail = async (id: string) => (await operator.get('GET', `/contacts/${id}`)).contact;
  const found = async (search: string) =>
    (await operator.get('GET', `/contacts?search=${encodeURIComponent(search)}`)).contacts;

  /** Adds a contact as WhatsApp's reports would. */
  async function add(fields: Record<string, string | null> = {}) {
    const contact = {
      phone: newRecipient(),
      user_id: null,
      username: null,
      mode: 'live',
      ...fields,
    };
    const [row] = await stack.sql(
      `insert into contacts (id, account_id, mode, phone, user_id, username)
       values (coalesce($6, new_id()), $1, $2, $3, $4, $5) returning id`,
      [
        installation.accountId,
        contact.mode,
        contact.phone,
        contact.user_id,
        contact.username,
        fields.id,
      ],
    );
    return { ...contact, id: String(row.id) };
  }

  it('are found as in every search: by number, its end, name, username, user id of now and before', async () => {
    const userId = `US.${Date.now()}`;
    const { id } = await add({ phone: '+14155550142', user_id: userId, username: 'mia.jung' });
    await stack.sql(`update contacts set name = 'Amélie Jung' where id = $1`, [id]);
    await stack.sql(
      `insert into contact_former_ids (account_id, mode, user_id, contact_id)
       values ($1, 'live', $2, $3)`,
      [installation.accountId, `${userId}9`, id],
    );
    for (const search of [
      '+1 (415) 555-0142',
      '0014155550142',
      '14155550142',
      '(415) 555-0142',
      '0142',
      userId,
      `${userId}9`,
      '@Mia.Jung',
      'mia.jung',
      'mia',
      'amélie j',
      'AMÉLIE',
      'amelie jun',
      'jüng',
      'jung',
      'Jung A',
    ]) {
      expect((await found(search)).map((contact: any) => contact.contact_id)).toEqual([id]);
    }
    for (const search of ['nobody', '+14155550141', '+4155550142', 'US.1', '%', 'ung']) {
      expect(await found(search)).toEqual([]);
    }
  });

  it('are all found by words of a name, the beginning of a number, or its end that many have', async () => {
    await addAccount(stack);
    await stack.sql(
      `insert into contacts (id, account_id, mode, phone, name)
       select new_id(), $1, 'live', '+3906' || 10000 + n || '9999', 'Zoë ' || n || ' Rossi' from generate_series(1, 450) n`,
      [installation.accountId],
    );
    const searches = ['zoe', 'ZOË', 'rossi', 'Rossi Zo', '+39 06 10', '9999'];
    const places = ['', `&account_id=${installation.accountId}`];
    for (const [search, place] of searches.flatMap((each) => places.map((of) => [each, of]))) {
      const names: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const after = cursor && `&cursor=${cursor}`;
        const query = `search=${encodeURIComponent(search ?? '')}${place}&limit=100${after}`;
        const page = await operator.get('GET', `/contacts?${query}`);
        names.push(...page.contacts.map(({ name }: any) => name));
        cursor = page.next_cursor;
      }
      expect([search, names.length, new Set(names).size]).toEqual([search, 450, 450]);
    }
  });

  it('are listed by mode and by what they have opted out of', async () => {
    const [none, marketing, all] = [await add(), await add(), await add()];
    const test = await add({ mode: 'test' });
    await operator.get('PUT', `/contacts/${marketing.id}/consent`, {
      scope: 'marketing',
      state: 'opted_out',
    });
    await operator.get('PUT', `/contacts/${all.id}/consent`, { scope: 'all', state: 'opted_out' });
    const outOfMarketing = await list('opted_out=marketing');
    expect(outOfMarketing).toEqual(expect.arrayContaining([marketing.phone, all.phone]));
    expect(outOfMarketing).not.toContain(none.phone);
    expect(await list('opted_out=all')).toEqual([all.phone]);
    expect(await list('mode=test')).toEqual([test.phone]);
  });

  it('are listed as they wrote, the last one first, and then those who never wrote', async () => {
    const base = Math.floor(Date.now() / 1_000) - 7_200;
    const write = (phone: string, afterSeconds: number) =>
      notify(
        stack,
        notification({
          messages: [textMessage({ from: phone.slice(1), timestamp: String(base + afterSeconds) })],
        }),
      );
    const numbers = [newRecipient(), newRecipient(), newRecipient()] as const;
    const [first, second, third] = numbers;
    // Two within one hour of the clock, and one that wrote again.
    await write(first, 0);
    await write(second, 1);
    await write(third, 2);
    await write(first, 3_700);
    await until(
      async () =>
        (await list('mode=live')).filter((phone: string) => numbers.includes(phone)).length === 3,
    );
    await until(async () => (await list('mode=live&limit=1'))[0] === first);
    const never = [1, 2].map((number) => `01a00000-0000-7000-8000-00000000000${number}`);
    const silent: string[] = [];
    for (const id of never) silent.unshift((await add({ id })).phone);

    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await operator.get('GET', `/contacts?mode=live&limit=1${cursor}`);
      seen.push(...page.contacts.map(({ phone }: any) => phone));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    const known = [first, third, second, ...silent];
    expect(seen.filter((phone) => known.includes(phone))).toEqual(known);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each(['abc', '1_2', `${Date.now()}_01a00000-0000-7000-8000-000000000001`])(
    'refuse the cursor %s, which no answer has had',
    async (cursor) => {
      const answer = await operator.call('GET', `/contacts?cursor=${cursor}`);
      expect(answer).toMatchObject({
        status: 400,
        body: {
          error: {
            details: { fields: { cursor: 'must be the next_cursor of an earlier answer' } },
          },
        },
      });
    },
  );

  it('show their window, their consents, and the latest messages to number and user ids', async () => {
    const { id, phone } = await add({ username: 'amelia' });
    await stack.send('button', buttonMessage({ to: phone }));
    // WhatsApp tells the user id with the first status.
    const { user_id } = await until(async () => {
      const known = await detail(id);
      return known.user_id !== null && known;
    });
    await stack.request('/messages/text', {
      method: 'POST',
      body: { to_user_id: user_id, body: 'Yes, since this morning.' },
    });
    const contact = await detail(id);
    expect(contact).toMatchObject({
      contact_id: id,
      phone,
      user_id,
      username: 'amelia',
      country: user_id.slice(0, 2),
      account_id: installation.accountId,
      mode: 'live',
      opted_out: null,
      former_user_ids: [],
      window: { last_inbound_at: null },
      consents: { marketing: { state: null }, all: { state: null }, history: [] },
    });
    expect(contact.messages.map(({ to, to_user_id }: any) => [to, to_user_id])).toEqual([
      [null, user_id],
      [phone, null],
    ]);
    // Each form of the recipient finds the contact, in the lists of messages as well.
    const namesOf = async (q: string) =>
      (await operator.get('GET', `/messages?q=${encodeURIComponent(q)}`)).messages.map(
        ({ recipient_name }: any) => recipient_name,
      );
    expect(await namesOf(phone)).toContain('@amelia');
    await stack.sql(`update contacts set name = 'Amelia Okafor' where id = $1`, [id]);
    expect(new Set(await namesOf('Okafor'))).toEqual(new Set(['Amelia Okafor']));
    const headers = { accept: 'text/csv' };
    const { text } = await operator.call('GET', '/messages?q=Okafor', undefined, { headers });
    const [heads = '', first = ''] = text.split('\r\n');
    expect([heads, first]).toEqual([
      expect.stringMatching(/,recipient_name$/),
      expect.stringMatching(/,Amelia Okafor$/),
    ]);
    const [{ message_id }] = contact.messages;
    expect(await operator.get('GET', `/messages/${message_id}`)).toMatchObject({
      recipient_name: 'Amelia Okafor',
    });
    await stack.send('button', buttonMessage({ to: newRecipient() }));
    const newest = (await operator.get('GET', '/messages?limit=1')).messages[0];
    expect(newest.recipient_name).toBeNull();
  });

  it('have a window, also those who are no contacts yet', async () => {
    const to = newRecipient();
    const windowOf = () =>
      operator.get(
        'GET',
        `/contacts/window?account_id=${installation.accountId}&phone=${encodeURIComponent(to)}`,
      );
    expect(await windowOf()).toEqual({ state: 'unknown', expires_at: null, last_inbound_at: null });
    await notify(stack, notification({ messages: [textMessage({ from: to.slice(1) })] }));
    await until(async () => (await windowOf()).state === 'open');
  });

  it('keep what an administrator is told, with its evidence, and stop what it covers', async () => {
    const to = newRecipient();
    await notify(stack, notification({ messages: [textMessage({ from: to.slice(1) })] }));
    // The simulator's reports count for both modes.
    const { contact_id } = await until(async () =>
      (await found(to)).find(({ mode }: any) => mode === 'live'),
    );
    await stack.rules.add({ match: { to }, fault: { code: 131056 }, times: 1 });
    const { body } = await stack.request('/messages/template', {
      method: 'POST',
      body: { to, template_name: 'sale', language: 'en_US', components: [] },
      headers: { prefer: 'respond-async' },
    });
    await until(async () => (await stack.ledger(to)).length === 1);
    const told = await operator.get('PUT', `/contacts/${contact_id}/consent`, {
      scope: 'marketing',
      state: 'opted_out',
      evidence: 'Asked on the phone',
    });
    expect(told.marketing).toMatchObject({ state: 'opted_out', source: 'dashboard' });
    expect(told.history).toMatchObject([{ evidence: 'Asked on the phone' }]);
    expect((await detail(contact_id)).opted_out).toBe('marketing');
    // A message that was being sent fails when it is due again.
    const failed = await until(async () => {
      const message = await operator.get('GET', `/messages/${body.data.message_id}`);
      return message.status === 'failed' && message;
    });
    expect(failed.error.reason).toBe('opted_out');
  });

  it('take an import, and give it back as a file that an import takes', async () => {
    const [one, other] = [newRecipient(), newRecipient()];
    const owner = `account_id=${installation.accountId}&mode=test`;
    const path = `/contacts/consent/import?${owner}`;
    const items = [
      { phone: one, scope: 'marketing', state: 'opted_out', evidence: 'a "form", 7' },
      { phone: 'nobody', scope: 'all', state: 'opted_in' },
      { phone: other, scope: 'all', state: 'opted_in', source: '=cmd()' },
    ];
    const imported = await operator.get('POST', path, { items });
    expect(imported.results).toMatchObject([
      { index: 0, status: 'stored' },
      { index: 1, status: 'invalid', error: { phone: expect.any(String) } },
      { index: 2, status: 'stored' },
    ]);
    const file = await operator.call('GET', `/contacts/consent/export?${owner}`);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(
      'attachment; filename="consents-test.csv"',
    );
    const [head, ...lines] = file.text.trimEnd().split('\r\n');
    const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
    expect(head).toBe(columns);
    expect(lines).toHaveLength(2);
    const lineOf = (phone: string) => lines.find((line) => line.startsWith(phone));
    expect(lineOf(one)).toMatch(
      new RegExp(String.raw`,,marketing,opted_out,import,"a ""form"", 7",${time}$`),
    );
    expect(lineOf(other)).toMatch(new RegExp(String.raw`,,all,opted_in,'=cmd\(\),,${time}$`));
    const again = await operator.get('POST', path, { items: items.slice(0, 1) });
    expect(again.results).toEqual([{ index: 0, status: 'unchanged' }]);
  });

  it('are exported to the last one, however many there are', async () => {
    const { account } = await operator.get('POST', '/accounts', {
      name: 'Many',
      phone_number_id: '100000000000777',
      business_account_id: '200000000000777',
      display_phone_number: '+1 555 078 3777',
      access_token: 'token',
      app_secret: 'secret',
    });
    const owner = `account_id=${account.id}`;
    for (const first of [0, 1_000]) {
      const items = Array.from({ length: 1_000 }, (_, index) => ({
        phone: `+1415777${String(first + index).padStart(4, '0')}`,
        scope: 'marketing',
        state: 'opted_in',
      }));
      await operator.get('POST', `/contacts/consent/import?${owner}`, { items });
    }
    const { text } = await operator.call('GET', `/contacts/consent/export?${owner}`);
    const lines = text.trimEnd().split('\r\n').slice(1);
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(2_000);
  });

  it('ask operators which account is meant', async () => {
    for (const [method, path, body] of [
      ['GET', '/contacts/consent/export?mode=live', undefined],
      ['GET', '/contacts/window?phone=%2B14155550142', undefined],
      ['POST', '/contacts/consent/import?mode=live', { items: [{}] }],
    ] as const) {
      const { status, body: answer } = await operator.call(method, path, body);
      expect({ status, fields: answer.error.details.fields }).toEqual({
        status: 400,
        fields: { account_id: 'is required' },
      });
      const unknown = await operator.call(
        method,
        `${path}&account_id=01a1fe24-d4ba-71e8-a502-760746519a21`,
        body,
      );
      expect(unknown.status).toBe(404);
    }
  });
});
